"""The workbench: one door to the pipeline."""
