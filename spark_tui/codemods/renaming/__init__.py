"""How each kind of symbol is renamed; `families/rename.py` is the operation."""
