"""Python source whose nodes know their places: one file (`source`, `scopes`, `calls`, `imports`, `undefined`)
and a repository (`tree`, `index`, `values`, `classes`).

This room only reads. It imports nothing of `workspace`: files come through the `SourceTree` protocol.
"""
