"""What an instruction asks for: a small trained reader turns it into intents with slots, which codemods do.

Knows `codemods` and `pysource`; must not know the language model, the session or the screen.
"""
