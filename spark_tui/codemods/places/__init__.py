"""From a place that people name to lines, statements, displays and constants."""
