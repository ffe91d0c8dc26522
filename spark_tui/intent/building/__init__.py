"""From a reading to calls of codemods, by the table `calls.toml` or by a builder."""
