"""Dynamic proof: runs the user's own JAX, only when asked, and says of each finding what was seen."""
