"""Reports of a verification: text for people, JSON for programs."""
