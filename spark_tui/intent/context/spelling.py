"""How near the spellings of two words are."""

from __future__ import annotations

from collections.abc import Iterable

_ENDINGS = frozenset(("s", "es", "ed", "er", "ing"))


def edit_distance(one: str, two: str, most: int) -> int:
    """Edits from one word to another, transpositions as one; `most + 1` where there are more."""
    if abs(len(one) - len(two)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        new = [i]
        for j, b in enumerate(two, 1):
            cost = min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (a != b))
            if before and i > 1 and j > 1 and a == two[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            new.append(cost)
        if min(new) > most:
            return most + 1
        before, row = row, new
    return row[-1]


def closest(wanted: str, known: Iterable[str]) -> list[tuple[str, float]]:
    """The known words that are nearest to one, at most three, with how well they fit."""
    most = 2 if len(wanted) >= 7 else 1 if len(wanted) >= 4 else 0
    scored, letters, single = [], set(wanted), wanted.rstrip("s")
    for one in known:
        if one.rstrip("s") == single or (one.startswith(wanted) and one[len(wanted) :] in _ENDINGS):
            scored.append((0, one))
        elif (
            most and abs(len(one) - len(wanted)) <= most and (one[0] == wanted[0] or one[1:2] == wanted[1:2])
        ):
            if len(letters.symmetric_difference(one)) > 2 * most:
                continue  # no edit changes more than two of the letters that there are
            steps = edit_distance(wanted, one, most)
            if steps <= most and len(one) > 2:
                scored.append((steps, one))
    scored.sort()
    best = [one for steps, one in scored if steps == scored[0][0]]
    return [(one, 0.85 / len(best)) for one in best[:3]]
