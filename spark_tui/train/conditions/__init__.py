"""The training of the ranker of tests: what a condition in words means (`intent/conditions`)."""
