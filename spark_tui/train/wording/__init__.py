"""The words of the kinds of edit: lists of templates, one module for each room of kinds.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""
