"""New and described names: their style, their place in a list, what is taken already."""
