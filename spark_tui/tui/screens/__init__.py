"""The screens: the workbench, and the pages and pickers on top of it."""
