"""Values and expressions: replaced, extracted, inlined, and items of displays."""
