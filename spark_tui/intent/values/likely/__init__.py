"""What is likely meant where a value or its place is named loosely."""
