"""What is offered while the person types: the next edit, and the rest of the line."""
