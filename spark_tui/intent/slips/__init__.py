"""Small slips in code that runs: for each piece of it, what may have been meant instead."""
