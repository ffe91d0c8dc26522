"""What lies over the workbench: a list to choose from, or a page to read."""
