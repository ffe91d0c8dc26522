"""How good a model is. `spark eval` runs a suite."""
