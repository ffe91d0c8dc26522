"""The command line: one table of commands, one file for each command."""
