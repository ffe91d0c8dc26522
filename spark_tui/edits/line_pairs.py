"""Which old line a new line came from."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_PAIRS_LIMIT = 10_000
"""Old lines times new lines up to which pairs are searched; above, lines pair up in order."""
_ALIKE = 0.4


def similar_pairs(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Pairs of an old and a new line that belong together, rising on both sides."""
    if len(old) == len(new):
        return tuple((i, i) for i in range(len(old)))
    if not old or not new or len(old) * len(new) > _PAIRS_LIMIT:
        return tuple((i, i) for i in range(min(len(old), len(new))))
    left = [bag_of_words(line) for line in old]
    right = [bag_of_words(line) for line in new]
    n, m = len(old), len(new)
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    score = [[likeness(a, b) for b in right] for a in left]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            paired = best[i + 1][j + 1] + score[i][j] if score[i][j] >= _ALIKE else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < n and j < m and best[i][j] > 0:
        if score[i][j] >= _ALIKE and best[i][j] == best[i + 1][j + 1] + score[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return tuple(pairs)


def bag_of_words(line: str) -> frozenset[str]:
    return frozenset(match.group() for match in _TOKEN.finditer(line) if not match.group().isspace())


def likeness(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared words over all words; two blank lines are alike."""
    return 1.0 if not a and not b else len(a & b) / len(a | b)
