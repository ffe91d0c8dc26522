"""What a command's output says is wrong, and where: matchers as data, read line by line. Standard library
only."""
