"""Edits that a program can make exactly, where an instruction says which: renames, rewrites, values, hints, imports."""
