"""From readings to plans: candidates, executed and checked on the repository, with how sure each is."""
