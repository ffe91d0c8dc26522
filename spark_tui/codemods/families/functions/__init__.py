"""Functions: their signatures, the arguments of their calls, types, and async."""
