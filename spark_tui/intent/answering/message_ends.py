"""What stands at the end of a message: a file in which it is done (*rename total to amount cart.py*), and
words that there is more of the kind."""

from __future__ import annotations

import re

from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.words import phrases
from spark_tui.pysource.repository import Repository

_ORDER = re.compile(r"(?P<order>[^\n`'\"]*\w)\s+(?P<file>[\w./-]*\w\.\w{1,5})\s*[.!]?\s*")
_LEAST_WORDS = 3
"""Of fewer words in front, the file may be what they are about: *sort imports cart.py*."""
_BOUND = ("places_in", "of_class", "to", "and", "articles", "kinds", "filling")
"""What binds a name behind it to the words in front."""


def with_place(text: str, repo: Repository) -> str:
    """The order with *in* before a file of the repository that nothing binds to it."""
    found = _ORDER.fullmatch(text)
    if found is None:
        return text
    order = found["order"].lower().split()
    bound = any(order[-1] in phrases.words(kind) for kind in _BOUND)
    if len(order) < _LEAST_WORDS or bound or order[-2] in phrases.words("articles"):
        return text
    ends = (f"/{path}".endswith(f"/{found['file']}") for path, _ in paths_named(repo, found["file"]))
    return f"{found['order']} in {text[found.start('file') :]}" if any(ends) else text


def open_end(text: str) -> re.Match[str] | None:
    """The words at the end that say that there is more of the kind: *and so on*."""
    ends = "|".join(map(re.escape, phrases.words("open_end")))
    return re.search(rf"(?<![\s,])[\s,]+(?:{ends})\s*[.!]*\Z", text, re.IGNORECASE)
