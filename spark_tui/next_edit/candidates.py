"""What may follow from a change: exact operations and patterns, each with what speaks for it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from spark_tui.codemods.plan import Edit, Unfollowed
from spark_tui.codemods.slots import SymbolKind
from spark_tui.next_edit import codemod_edits, import_edits, signature_edits
from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.confidence import MANY_EXAMPLES
from spark_tui.next_edit.features import Features, has_word, of_pattern, replaced_name, sort_of
from spark_tui.next_edit.generalize import contradicts
from spark_tui.next_edit.known_rewrites import is_known
from spark_tui.next_edit.patterns import Pattern, patterns
from spark_tui.next_edit.place_features import LAZY_ANNOTATIONS, PlaceFeatures, skipped
from spark_tui.next_edit.search import MOST_PLACES, Found, files_with, places
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.repository import Repository

_OF_LOCAL = ("parses", "names", "origin")
_MOST_WITHOUT_WORD = 200
_MOST_BY_EXAMPLE = 25
_DEFINITION = re.compile(r"^([ \t]*)(?:async[ \t]+def|def|class)\b", re.MULTILINE)


@dataclass(frozen=True)
class Candidate:
    """Edits of the texts as they are now. `group` names the weights that its features are for."""

    group: str
    words: str
    edits: tuple[Edit, ...]
    features: Features
    unfollowed: tuple[Unfollowed, ...] = ()
    examples: int = 1
    checks: tuple[str, ...] = ()
    """The checks that may find something in it; empty: all."""


@dataclass(frozen=True)
class Situation:
    """`newest` is the change that was made last, `earlier` are those before it, the newest first. `now` is
    the repository as it is, `before` as it was without the changes. In the files `taken` an offer was taken:
    the person passed none of their places."""

    newest: Change
    earlier: tuple[Change, ...]
    now: Repository
    before: Repository
    taken: frozenset[str] = frozenset()
    taken_words: str = ""

    @property
    def done(self) -> Mapping[str, Sequence[Change]]:
        out: dict[str, list[Change]] = {}
        for item in (self.newest, *self.earlier):
            out.setdefault(item.path, []).append(item)
        return out


def candidates(
    at: Situation, go_on: Callable[[], bool], is_wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Candidate]:
    """Every candidate of the groups that are wanted, as long as `go_on` says so."""
    bound = codemod_edits.bound_symbols(at.before, at.newest, at.done)
    found = codemod_edits.rename(at.before, at.newest, at.done, bound)
    if found is not None:
        yield _renaming(at, found)
    yield from _of_signature(at)
    for of_imports in (import_edits.missing_import, import_edits.unneeded_import):
        made = of_imports(at.now, at.before, at.newest)
        if made is not None:
            yield Candidate("import", made[0], made[1], {})
    # What a symbol is called follows from scopes: the same word elsewhere may be another one.
    renamed = bound or (at.taken_words and at.taken_words == codemod_edits.words_of_rename(at.newest))
    for pattern in patterns(at.newest, at.earlier) if not renamed else ():
        if not go_on():
            return
        if is_wanted(sort_of(pattern.examples[0])):
            yield from _of_pattern(at, pattern)


def _of_signature(at: Situation) -> Iterator[Candidate]:
    planned = signature_edits.follow_signature(at.now, at.before, at.newest)
    if planned is not None:
        words, plan = planned
        head = signature_edits.head_of(at.before, at.newest)
        found = codemod_edits.rest_of(plan, at.done, words, SymbolKind.FUNCTION, head)
        if found is not None:
            features = {"unfollowed": math.log2(1 + len(found.unfollowed))}
            yield Candidate("signature", words, found.edits, features, found.unfollowed)


def _renaming(at: Situation, found: codemod_edits.Followed) -> Candidate:
    names = replaced_name(at.newest)
    assert names is not None
    features = {
        "similar": SequenceMatcher(None, *names).ratio(),
        "done": math.log2(found.done),
        "places": math.log2(1 + len(found.edits)),
        "unfollowed": math.log2(1 + len(found.unfollowed)),
        "definition": float(found.kind in (SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD)),
        "local": float(found.kind in (SymbolKind.LOCAL, SymbolKind.PARAMETER)),
    }
    checks = _OF_LOCAL if found.kind is SymbolKind.LOCAL else ()
    return Candidate(
        "rename", found.words, found.edits, features, found.unfollowed, found.done, checks=checks
    )


def _of_pattern(at: Situation, pattern: Pattern) -> Iterator[Candidate]:
    """A pattern at the next places, as many as there are examples, in the definition around the change, in
    its file, and everywhere; each time in lines of the kind that the examples have, and in all."""
    index, template = at.now.index, pattern.template
    if not template.has_name:
        return
    kinds = {example.before.kind(example.old[0]) for example in pattern.examples}
    # What is imported is another question than how it is used.
    everywhere = [
        place
        for place in places(template, index, at.newest.path)
        if place.kind != "import" or "import" in kinds
    ]
    common = of_pattern(index, at.before.index, pattern, len(everywhere))
    same_kind = [place for place in everywhere if place.kind in kinds]
    definition = _definition(at.newest)
    count = len(pattern.alike)
    contrary = sum(contradicts(template, at.newest, item) for item in at.earlier)
    # Many places need more than a few examples.
    most = MOST_PLACES if count >= MANY_EXAMPLES else _MOST_BY_EXAMPLE * count
    known = is_known(at.newest)
    if known and kinds == {"annotation"}:
        everywhere = same_kind = _as_lazy(index, pattern, same_kind)
    of_places = PlaceFeatures(index, pattern, everywhere, definition)
    for alike in (same_kind, everywhere) if len(same_kind) < len(everywhere) else (everywhere,):
        passed = contrary + skipped(pattern, alike, at.taken)
        # Who makes a change that Python asks for may begin anywhere.
        if (contrary if known else passed) >= len(pattern.examples):
            continue
        reach = 0
        for scope, found in _scopes(at.newest, pattern, alike, definition):
            # What reaches no farther than the one before is the same candidate.
            if reach < len(found) <= most:
                reach = len(found)
                features = common | of_places.of(scope, found, alike, passed)
                features = {name: value for name, value in features.items() if value}
                edits = tuple(item.edit for item in found)
                sort = sort_of(pattern.examples[0])
                yield Candidate(sort, template.words, edits, features, examples=count)


def _as_lazy(index: Index, pattern: Pattern, found: list[Found]) -> list[Found]:
    """The places whose annotations are evaluated no more than those of the examples: a type that is evaluated
    has to be one in the oldest Python that is supported."""
    lazy = files_with(index, LAZY_ANNOTATIONS)
    if not all(example.path in lazy for example in pattern.examples):
        return found
    return [item for item in found if item.edit.path in lazy]


def _scopes(
    newest: Change, pattern: Pattern, alike: Sequence[Found], definition: tuple[int, int]
) -> Iterator[tuple[str, Sequence[Found]]]:
    path = newest.path
    here = [found for found in alike if found.edit.path == path]
    yield "next", _following(pattern, alike)[: len(pattern.alike)]
    low, high = definition
    if all(example.path == path and low <= example.span_after[0] < high for example in pattern.examples):
        yield "definition", [found for found in here if low <= found.edit.start < high]
    yield "file", here
    elsewhere = [found for found in alike if found.edit.path != path]
    if not here and elsewhere:
        yield "next file", [found for found in elsewhere if found.edit.path == elsewhere[0].edit.path]
    if has_word(newest) or len(alike) <= _MOST_WITHOUT_WORD:
        folder = path.rpartition("/")[0]
        yield "folder", [found for found in alike if found.edit.path.rpartition("/")[0] == folder]
        yield "repository", alike


def _following(pattern: Pattern, alike: Sequence[Found]) -> Sequence[Found]:
    """The places below the newest change in its file, then those of the other files: of the first of them
    only, as long as all examples are in one."""
    newest = pattern.examples[0]
    path, end = newest.path, newest.span_after[1]
    found = [item for item in alike if item.edit.path != path or item.edit.start >= end]
    if len({item.path for item in pattern.alike}) > 1:
        return found
    return [item for item in found if item.edit.path == found[0].edit.path]


@lru_cache(maxsize=2)
def _definition(change: Change) -> tuple[int, int]:
    """The characters of the innermost definition around a change, in the text after it."""
    text, at = change.after.text, change.span_after[0]
    line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    indent = len(line) - len(line.lstrip())
    low = 0
    for found in _DEFINITION.finditer(text, 0, at):
        if len(found[1]) < indent or found.end() > at - len(line) <= found.start():
            low = found.start()
            base = len(found[1])
    if low == 0:
        return 0, len(text)
    behind = re.compile(rf"^[ \t]{{0,{base}}}[^\s)\]}}]", re.MULTILINE).search(text, text.find("\n", at))
    return low, behind.start() if behind is not None else len(text)
