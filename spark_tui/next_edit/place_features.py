"""What speaks for the places of a pattern, as numbers for `confidence.py`."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from spark_tui.next_edit.features import Features
from spark_tui.next_edit.generalize import match_of
from spark_tui.next_edit.patterns import Pattern
from spark_tui.next_edit.search import Found, files_with
from spark_tui.pysource.files.index import Index

LAZY_ANNOTATIONS = "from __future__ import annotations"
_FAR = 2.0
"""How far the nearest place is in another file; in the same one it is less."""


class PlaceFeatures:
    """Compares the places of a pattern with those of its examples. `everywhere` are all of them, `definition`
    the characters of the definition around the newest change."""

    def __init__(
        self, index: Index, pattern: Pattern, everywhere: Sequence[Found], definition: tuple[int, int]
    ) -> None:
        self._pattern, self._everywhere = pattern, everywhere
        self._paths = max(len(index.paths), 1)
        self._definition = definition
        found = [
            (one.before, match) for one in pattern.examples if (match := match_of(pattern.template, one))
        ]
        self._sides = [tokens.sides(match.first, match.last) for tokens, match in found]
        self._indents = {len(tokens.indent(match.first)) for tokens, match in found}
        # Where annotations are not evaluated, people write them otherwise.
        self._lazy = files_with(index, LAZY_ANNOTATIONS)
        self._unlike: Mapping[int, tuple[float, ...]] = {id(one): self._compared(one) for one in everywhere}

    def _compared(self, one: Found) -> tuple[float, ...]:
        """How a place differs from the examples: the tokens at its sides, all of them, its indentation, and
        the definition around it."""
        low, high = self._definition
        inside = one.edit.path == self._pattern.examples[0].path and low <= one.edit.start < high
        return (
            float(all(one.left[:1] != left[:1] for left, _ in self._sides)),
            float(all(one.right[:1] != right[:1] for _, right in self._sides)),
            1 - max((_likeness(one, *sides) for sides in self._sides), default=0.0),
            float(one.indent not in self._indents),
            float(not inside),
        )

    def of(self, scope: str, found: Sequence[Found], alike: Sequence[Found], passed: int) -> Features:
        """The features of the places `found` of those `alike` in the repository. The person `passed` so many
        without changing them."""
        examples = self._pattern.alike
        newest = self._pattern.examples[0]
        here = sum(one.edit.path == newest.path for one in found)
        files = {one.edit.path for one in found}
        folders = {one.path.rpartition("/")[0] for one in examples}
        tests = any(_is_test(one.path) for one in examples)
        future = {one.path in self._lazy for one in examples}
        unlike = [self._unlike[id(one)] for one in found]
        left, right, sides, indent, outside = (sum(each) / len(found) for each in zip(*unlike, strict=True))
        behind = newest.span_after[1]
        away = [abs(one.edit.start - behind) for one in found if one.edit.path == newest.path]
        return {
            f"scope {scope}": 1.0,
            "places": math.log2(1 + len(found)),
            "files": math.log2(1 + len(files)),
            "share of files": len(files) / self._paths,
            "here": math.log2(1 + here),
            "done": len(examples) / (len(examples) + len(found)),
            "left out": 1 - len(found) / max(len(alike), 1),
            "other kinds": 1 - len(alike) / max(len(self._everywhere), 1),
            "skipped": math.log2(1 + passed),
            "skipped share": passed / (passed + len(examples)),
            "kinds": math.log2(len({one.kind for one in found})),
            "other left": left,
            "other right": right,
            "other line": sides,
            "least alike": max(each[2] for each in unlike),
            "other indent": indent,
            "other definition": outside,
            "far": min([_FAR, *(math.log2(1 + one) / 8 for one in away)]),
            "other folders": sum(one.rpartition("/")[0] not in folders for one in files) / len(files),
            "other tests": sum(_is_test(one) is not tests for one in files) / len(files),
            "other future": sum((one in self._lazy) not in future for one in files) / len(files),
        }


def _likeness(one: Found, left: Sequence[str], right: Sequence[str]) -> float:
    """How many of the tokens on both sides of a place are those of an example, from the form on."""
    same = _same(one.left, left) + _same(one.right, right)
    return same / max(len(left) + len(right), 1)


def _same(one: Sequence[str], two: Sequence[str]) -> int:
    count = 0
    for here, there in zip(one, two, strict=False):
        if here != there:
            break
        count += 1
    return count


def _is_test(path: str) -> bool:
    return "test" in path


def skipped(pattern: Pattern, found: Sequence[Found], taken: Collection[str]) -> int:
    """Places that a person who goes from top to bottom, and from file to file, has passed. In the files
    `taken` an offer was taken: nobody passed what it left."""
    newest, examples = pattern.examples[0], pattern.alike
    start = newest.span_after[0]
    first = min((one.span_after[0] for one in examples if one.path == newest.path), default=0)
    first = 0 if len(examples) == 1 else first
    passed = {one.path for one in examples} - {newest.path} - set(taken)
    return sum(
        (one.edit.path == newest.path and first <= one.edit.start < start) or one.edit.path in passed
        for one in found
    )
