"""What fixes of rules are made of: nodes with their text, names, imports, statements, precedence."""
