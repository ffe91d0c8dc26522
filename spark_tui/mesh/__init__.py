"""Steps in, timings out: what a wafer would do with the same tokens."""
