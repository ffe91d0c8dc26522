"""Words: how an instruction is split into tokens, and words with a fixed form in code."""
