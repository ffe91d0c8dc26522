"""Classes: members, decorators, dataclasses, and kinds of methods."""
