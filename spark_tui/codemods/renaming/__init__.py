"""How each kind of symbol is renamed; `families/names/rename.py` is the operation."""
