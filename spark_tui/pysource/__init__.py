"""Python source whose nodes know their places: one file (`source`, `names`, `calls`) and a repository
(`repository`, `files`, `inference`).

This room only reads. It imports nothing of `workspace`: files come through the `SourceTree` protocol.
"""
