"""Turns an instruction into calls of codemods: a small trained network predicts intents with slots.

The packages import downwards only, from `answering` at the top to `words` at the bottom; `docs/reader.md`
lists them. None of them knows the language model, the session or the screen.
"""
