"""What may follow from a change: exact operations and patterns, each with what speaks for it."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from spark_tui.codemods.plan import Edit, Unfollowed
from spark_tui.codemods.slots import SymbolKind
from spark_tui.next_edit import codemod_edits, import_edits, signature_edits
from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.patterns import Pattern, patterns
from spark_tui.next_edit.search import Found, places
from spark_tui.next_edit.tokens import is_anchor, is_word
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.undefined import KNOWN

Features = dict[str, float]
_MOST_WITHOUT_WORD = 200
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


@dataclass(frozen=True)
class Situation:
    """`newest` is the change that was made last, `earlier` are those before it, the newest first. `now` is
    the repository as it is, `before` as it was without the changes."""

    newest: Change
    earlier: tuple[Change, ...]
    now: Repository
    before: Repository

    @property
    def done(self) -> Mapping[str, Sequence[Change]]:
        out: dict[str, list[Change]] = {}
        for one in (self.newest, *self.earlier):
            out.setdefault(one.path, []).append(one)
        return out


def candidates(
    at: Situation, go_on: Callable[[], bool], is_wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Candidate]:
    """Every candidate of the groups that are wanted, as long as `go_on` says so."""
    found = codemod_edits.rename(at.before, at.newest, at.done)
    if found is not None:
        yield _renaming(at, found)
    yield from _of_signature(at)
    for of_imports in (import_edits.missing_import, import_edits.unneeded_import):
        made = of_imports(at.now, at.before, at.newest)
        if made is not None:
            yield Candidate("import", made[0], made[1], {})
    for pattern in patterns(at.newest, at.earlier):
        if not go_on():
            return
        if is_wanted(_group(pattern)):
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
    names = codemod_edits.renamed(at.newest)
    assert names is not None
    features = {
        "similar": SequenceMatcher(None, *names).ratio(),
        "done": math.log2(found.done),
        "places": math.log2(1 + len(found.edits)),
        "unfollowed": math.log2(1 + len(found.unfollowed)),
        "definition": float(found.kind in (SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD)),
        "local": float(found.kind in (SymbolKind.LOCAL, SymbolKind.PARAMETER)),
        "long": float(len(names[0]) > 3),
    }
    return Candidate("rename", found.words, found.edits, features, found.unfollowed, found.done)


def _of_pattern(at: Situation, pattern: Pattern) -> Iterator[Candidate]:
    """A pattern in the definition around the change, in its file, and everywhere."""
    index = at.now.index
    path = at.newest.path
    here = list(places(pattern.template, (path,), index.text))
    scopes: list[tuple[str, list[Found]]] = []
    low, high = _definition(at.newest)
    if all(one.path == path and low <= one.span_after[0] < high for one in pattern.examples):
        scopes.append(("definition", [one for one in here if low <= one.edit.start < high]))
    scopes.append(("file", here))
    others = sorted(one for one in index.paths if one != path)
    everywhere = [*here, *places(pattern.template, others, index.text)]
    if _has_word(at.newest) or len(everywhere) <= _MOST_WITHOUT_WORD:
        scopes.append(("repository", everywhere))
    before = 0
    common = _common_features(at, pattern, everywhere)
    group = _group(pattern)
    for scope, found in scopes:
        if len(found) > before:
            before = len(found)
            features = common | _scope_features(scope, found, everywhere)
            features = {name: value for name, value in features.items() if value}
            edits = tuple(one.edit for one in found)
            yield Candidate(group, pattern.template.words, edits, features, examples=len(pattern.examples))


def _group(pattern: Pattern) -> str:
    """The group of weights: what sort of change it is, and whether there is more than one example."""
    return f"{_kind(pattern.examples[0])} {'one' if len(pattern.examples) == 1 else 'more'}"


def _kind(change: Change) -> str:
    if not _has_word(change):
        return "insertion"
    if not change.came:
        return "deletion"
    if len(change.runs) > 1:
        return "wrap"
    return "name" if codemod_edits.renamed(change) is not None else "exchange"


def _has_word(change: Change) -> bool:
    return any(map(is_anchor, change.went))


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


def _common_features(at: Situation, pattern: Pattern, everywhere: Sequence[Found]) -> Features:
    """What does not depend on how far the pattern goes."""
    newest, examples, template = at.newest, pattern.examples, pattern.template
    went, came = newest.went, newest.came
    words = [one for one in went if is_word(one)]
    longest = max(words, key=len, default="")
    skipped = _skipped(newest, examples, everywhere)
    names = codemod_edits.renamed(newest)
    rarest = _count(at, longest) if longest else 0
    out = {
        f"context {pattern.context.removesuffix(' kept')}": 1.0,
        "kept": float(pattern.context.endswith("kept")),
        "three": float(len(examples) > 2),
        "literals": min(template.literals, 10) / 4,
        "holes": float(any(isinstance(one, int) for one in template.old)),
        "prose": float(newest.old[0] in newest.before.prose),
        "skipped": math.log2(1 + skipped),
        "skipped share": skipped / (skipped + len(examples)),
        "length": min(len(longest), 16) / 8,
        "compound": float("_" in longest.strip("_") or longest[1:].lower() != longest[1:]),
        "similar": SequenceMatcher(None, " ".join(went).lower(), " ".join(came).lower()).ratio(),
        "constant": float(all(keyword.iskeyword(one) or not is_word(one) for one in went)),
        "builtin": float(any(one in KNOWN for one in went)),
        "new name": float(names is not None and not _stands(newest, names[1])),
        "old name gone": float(names is not None and _gone(newest, names[0])),
        "two files": float(len({one.path for one in examples}) > 1),
        "whole line": float(came[-1:] == ["\n"] or went[-1:] == ["\n"]),
        "rare": math.log2(1 + rarest) / 4,
        "share of word": min(len(everywhere) / rarest, 1.0) if rarest else 0.0,
        "many came": math.log2(1 + len(came)) / 2,
    }
    if len(examples) > 1:
        out["diverse"] = float(_sides(examples[0]) != _sides(examples[1]))
    return out


def _scope_features(scope: str, found: Sequence[Found], everywhere: Sequence[Found]) -> Features:
    return {
        f"scope {scope}": 1.0,
        "places": math.log2(1 + len(found)),
        "files": math.log2(1 + len({one.edit.path for one in found})),
        "left out": 1 - len(found) / max(len(everywhere), 1),
    }


def _count(at: Situation, word: str) -> int:
    """How often a word stands in the repository, about."""
    return sum((at.now.index.text(path) or "").count(word) for path in at.now.index.paths)


def _skipped(newest: Change, examples: Sequence[Change], found: Sequence[Found]) -> int:
    """Places that a person who goes from top to bottom, and from file to file, has passed."""
    start = newest.span_after[0]
    first = min((one.span_after[0] for one in examples if one.path == newest.path), default=0)
    first = 0 if len(examples) == 1 else first
    passed = {one.path for one in examples} - {newest.path}
    return sum(
        (one.edit.path == newest.path and first <= one.edit.start < start) or one.edit.path in passed
        for one in found
    )


def _stands(change: Change, name: str) -> bool:
    """Whether the file had a name before the change."""
    return next(change.before.positions(name), None) is not None


def _gone(change: Change, name: str) -> bool:
    """Whether the file defined a name and does so no longer."""
    defined = re.compile(
        rf"\b(?:def|class)[ \t]+{re.escape(name)}\b|^{re.escape(name)}[ \t]*[=:]", re.MULTILINE
    )
    return bool(defined.search(change.before.text)) and not defined.search(change.after.text)


def _sides(change: Change) -> tuple[str, ...]:
    low, high = change.old
    texts = change.before.texts
    return tuple(texts[max(low - 2, 0) : low] + texts[high : high + 2])
