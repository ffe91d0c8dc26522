"""From readings to plans: candidates are executed and checked on the repository, each with its certainty."""
