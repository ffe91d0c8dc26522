"""Facts that everything else is computed from: a wafer, models, and what was published."""
