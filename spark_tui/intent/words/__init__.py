"""Words as such: how an instruction is cut into tokens, and words that have a fixed form in code."""
