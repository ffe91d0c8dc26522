"""What fills the terminal: the workbench, and the pages that are laid over it."""
