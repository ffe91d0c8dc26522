"""How long a text is with which a test tells work in proportion to it from more."""

ENDLESS = 1_000_000
"""Of that many characters, a pattern or a loop whose work grows with their square is not done before a test's
time is up."""
