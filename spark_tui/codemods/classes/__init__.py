"""The fields, special methods and attributes of classes."""
