"""Benchmarks: one file for each question. `spark bench NAME` runs one."""
