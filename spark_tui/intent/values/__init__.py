"""From the words of a slot to code of the right kind: values, types, exceptions, statements."""
