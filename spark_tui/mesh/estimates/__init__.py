"""How long a model would take on a wafer or a GPU."""
