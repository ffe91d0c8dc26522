"""Values that are converted, rounded, formatted, or given a default."""
