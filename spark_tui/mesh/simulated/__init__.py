"""A small transformer that runs on simulated cores, and the dense one that it equals."""
