"""The problems in a command's output and their places, found line by line by matchers kept as data. Standard
library only."""
