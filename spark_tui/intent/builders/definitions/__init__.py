"""Classes, signatures, types and imports, and which function is called."""
