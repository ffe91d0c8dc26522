"""Where a template fits: in the file that was edited, and in the repository."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.codemods.plan import Edit
from spark_tui.next_edit.template import Template, changed_token, fill, matches, span
from spark_tui.next_edit.tokens import Tokens, tokens_of
from spark_tui.pysource.files.index import Index

MOST_PLACES = 2_000
_MOST_CHARACTERS = 600_000
"""A file that is longer was written by a program."""


@dataclass(frozen=True, slots=True)
class Found:
    """A place of a template, and what it becomes."""

    edit: Edit
    kind: str
    """What the tokens that change belong to."""
    left: tuple[str, ...] = ()
    """The tokens in front of the form, in the same line; `right` are those after it."""
    right: tuple[str, ...] = ()
    indent: int = 0


def places(template: Template, index: Index, first: str) -> Iterator[Found]:
    """The places in the repository, those of one file first."""
    with_all = set(index.paths).intersection(*(files_with(index, word) for word in template.anchors))
    count = 0
    for path in sorted(with_all, key=lambda item: (item != first, item)):
        text = index.text(path) or ""
        if len(text) > _MOST_CHARACTERS:
            continue
        for found in places_in(template, path, tokens_of(text)):
            yield found
            count += 1
            if count >= MOST_PLACES:
                return


def files_with(index: Index, word: str) -> frozenset[str]:
    """The Python files in which some characters stand."""
    return frozenset(path for path, count in _counts(index, word).items() if count)


def count_of(index: Index, word: str) -> int:
    """How often some characters stand in the Python files."""
    return sum(_counts(index, word).values())


def _counts(index: Index, word: str) -> dict[str, int]:
    """How often some characters stand in each file. While somebody types only the changed files are read."""
    base, changed = index.base
    found = _counts_of(base, word)
    if not changed:
        return found
    return found | {
        path: (index.text(path) or "").count(word) for path in changed if path in index.modules.paths
    }


@lru_cache(maxsize=256)
def _counts_of(index: Index, word: str) -> dict[str, int]:
    return {path: count for path in index.paths if (count := (index.text(path) or "").count(word))}


def places_in(template: Template, path: str, tokens: Tokens) -> Iterator[Found]:
    """The places in one file, without those that have the new form already."""
    done: list[tuple[int, int]] | None = None
    for found in matches(template, tokens):
        if done is None:
            done = _new_forms(template, tokens)
        if any(low < found.last and found.first < high for low, high in done):
            continue
        low, high = span(template, tokens, found)
        new = fill(template, tokens, found)
        if new != tokens.text[low:high]:
            kind = tokens.kind(changed_token(template, found))
            sides, indent = tokens.sides(found.first, found.last), len(tokens.indent(found.first))
            yield Found(Edit(path, low, high, new), kind, *sides, indent)


def _new_forms(template: Template, tokens: Tokens) -> list[tuple[int, int]]:
    """Where the new form stands in which the old one would be found again."""
    new = template.new_elements
    literals = [item for item in template.old if isinstance(item, str)]
    if not new or not all(literal in new for literal in literals) or isinstance(new[-1], int):
        return []
    if isinstance(new[0], int):
        return []
    holes = {item for item in template.old if isinstance(item, int)}
    turned = Template(new, (), template.wide | holes, "", template.member, template.prose)
    return [(match.first, match.last) for match in matches(turned, tokens)]
