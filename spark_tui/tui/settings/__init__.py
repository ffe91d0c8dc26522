"""What the workbench is set to: values, keys, theme and model."""
