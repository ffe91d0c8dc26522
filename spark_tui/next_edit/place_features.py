"""What speaks for the places of a pattern, as numbers for `confidence.py`."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from spark_tui.next_edit.features import Features
from spark_tui.next_edit.generalize import match_of
from spark_tui.next_edit.patterns import Pattern
from spark_tui.next_edit.search import Found, files_with
from spark_tui.pysource.files.index import Index
from spark_tui.shared_ends import same_at_start

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
            (example.before, match)
            for example in pattern.examples
            if (match := match_of(pattern.template, example))
        ]
        self._sides = [tokens.sides(match.first, match.last) for tokens, match in found]
        self._indents = {len(tokens.indent(match.first)) for tokens, match in found}
        # Where annotations are not evaluated, people write them otherwise.
        self._lazy = files_with(index, LAZY_ANNOTATIONS)
        self._unlike: Mapping[int, tuple[float, ...]] = {
            id(item): self._compared(item) for item in everywhere
        }

    def _compared(self, found: Found) -> tuple[float, ...]:
        """How a place differs from the examples: the tokens at its sides, all of them, its indentation, and
        the definition around it."""
        low, high = self._definition
        inside = found.edit.path == self._pattern.examples[0].path and low <= found.edit.start < high
        return (
            float(all(found.left[:1] != left[:1] for left, _ in self._sides)),
            float(all(found.right[:1] != right[:1] for _, right in self._sides)),
            1 - max((_likeness(found, *sides) for sides in self._sides), default=0.0),
            float(found.indent not in self._indents),
            float(not inside),
        )

    def of(self, scope: str, found: Sequence[Found], alike: Sequence[Found], passed: int) -> Features:
        """The features of the places `found` of those `alike` in the repository. The person `passed` so many
        without changing them."""
        examples = self._pattern.alike
        newest = self._pattern.examples[0]
        here = sum(item.edit.path == newest.path for item in found)
        files = {item.edit.path for item in found}
        folders = {example.path.rpartition("/")[0] for example in examples}
        tests = any(_is_test(example.path) for example in examples)
        future = {example.path in self._lazy for example in examples}
        unlike = [self._unlike[id(item)] for item in found]
        left, right, sides, indent, outside = (sum(item) / len(found) for item in zip(*unlike, strict=True))
        behind = newest.span_after[1]
        away = [abs(item.edit.start - behind) for item in found if item.edit.path == newest.path]
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
            "kinds": math.log2(len({item.kind for item in found})),
            "other left": left,
            "other right": right,
            "other line": sides,
            "least alike": max(item[2] for item in unlike),
            "other indent": indent,
            "other definition": outside,
            "far": min([_FAR, *(math.log2(1 + item) / 8 for item in away)]),
            "other folders": sum(file.rpartition("/")[0] not in folders for file in files) / len(files),
            "other tests": sum(_is_test(file) is not tests for file in files) / len(files),
            "other future": sum((file in self._lazy) not in future for file in files) / len(files),
        }


def _likeness(found: Found, left: Sequence[str], right: Sequence[str]) -> float:
    """How many of the tokens on both sides of a place are those of an example, from the form on."""
    same = same_at_start(found.left, left) + same_at_start(found.right, right)
    return same / max(len(left) + len(right), 1)


def _is_test(path: str) -> bool:
    return "test" in path


def skipped(pattern: Pattern, found: Sequence[Found], taken: Collection[str]) -> int:
    """Places that a person who goes from top to bottom, and from file to file, has passed. In the files
    `taken` an offer was taken: nobody passed what it left."""
    newest, examples = pattern.examples[0], pattern.alike
    start = newest.span_after[0]
    first = min((example.span_after[0] for example in examples if example.path == newest.path), default=0)
    first = 0 if len(examples) == 1 else first
    passed = {example.path for example in examples} - {newest.path} - set(taken)
    return sum(
        (item.edit.path == newest.path and first <= item.edit.start < start) or item.edit.path in passed
        for item in found
    )
