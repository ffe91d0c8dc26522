"""New and described names: their style, their place in a list, and whether they are taken."""
