"""What an instruction asks for: a small trained reader turns it into intents with slots, which codemods do.

The packages import downwards only, from `answering` at the top to `words` at the bottom (`pyproject.toml` has
the order).  None knows the language model, the session or the screen.
"""
