"""What expressions stand for in a repository: values, classes, and the calls that run its code."""
