"""Follow-ups that give another name to a variable, key or option that was written, wherever it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import CALLABLE, CLASS, SymbolKind
from spark_tui.codemods.uses.symbols import Target, list_targets
from spark_tui.intent.building.building import call
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Candidate, Situation, Unresolved
from spark_tui.intent.context.written_lines import LineChange, Token, calls_with, changes_of_edit
from spark_tui.intent.followups.amendments.exchanged_tokens import inner_text, is_string
from spark_tui.intent.followups.amendments.lines import given_for
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.names.taken_names import doubts_of_name
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.values.converters.new_names import styled
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

Texts = Mapping[str, str | None]
_SAID = 0.95
_BROUGHT, _KEY, _GIVEN, _KNOWN, _BOUND, _USED = 0.9, 0.8, 0.7, 0.35, 0.25, 0.15
"""How likely a name is meant that the edit brought, a key that it brought, a name to which it gave a value
or a type, one that it bound and that was there before, one that is bound in a line that it changed, and one
that it only uses."""
_OTHER_KIND = 0.2
"""How much a variable counts where the message says *key*, or a key where it says *variable*."""
_KEYED = re.compile(
    r"(?:\[|\b(?:get|pop|setdefault|getenv|getattr|setattr|hasattr|field)\("
    r"|\badd_(?:argument|parser)\((?:.*,)?)\s*\Z"
)
_GIVES = re.compile(r"\b([^\W\d]\w*)(?:\s*:[^,=()]*)?\s*[:=]\s*\Z")
_DEFINED = CALLABLE | CLASS
_BESIDE = 0.3
_MOST = 3
_MOST_ALIKE = 4
"""Things with the same name that get another one together."""


def amended_names(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to give another name to something that was written, for the repository before the edit."""
    if reading.intent != "amend.name" or situation.before is None:
        return []
    found = ((weight, calls_with(texts, situation)) for weight, texts in _renamed(reading, situation))
    doubts = doubts_of_name(given_for(reading, situation.instruction), situation)
    return [Candidate(calls, reading, doubts, weight, from_before=True) for weight, calls in found if calls]


def _renamed(reading: Reading, situation: Situation) -> list[tuple[float, Texts]]:
    """The files with another name in the place of one that was written, the likeliest first."""
    given = given_for(reading, situation.instruction)
    if given is None:
        return []
    new = given.text.strip().strip("`'\"")
    new = new if given.quoted else phrases.without_articles(new)
    old = {span.text.strip("`'\"") for span in reading.slots.get("old", ())}
    kinds = followup_table()["named"]
    beside = situation.instruction.replace(given.text, " ").lower()
    words = [kind for kind in kinds if phrases.any_stands_in(kinds[kind], beside)]
    out: list[tuple[float, Texts]] = []
    found = changes_of_edit(situation)
    for path in dict.fromkeys(change.path for change in found):
        here = [change for change in found if change.path == path]
        for kind, ways in (
            ("name", _as_variable(path, here, new, old, situation)),
            ("key", _as_text(path, here, new, old, situation)),
        ):
            parted = words and kind not in words
            out += [(weight * (_OTHER_KIND if parted else 1.0), texts) for weight, texts in ways]
    return sorted(out, key=lambda item: -item[0])[:_MOST]


def _as_variable(
    path: str, found: Sequence[LineChange], new: str, old: set[str], situation: Situation
) -> Iterator[tuple[float, Texts]]:
    """With another name for a variable, function or member that was written, wherever it is meant."""
    source = situation.behind.index.source(path)
    places = {change.offset(token.start, source) for change in found for token in change.written()}
    rows = {at + 1 for change in found for at in range(change.at, change.at + len(change.new))}
    known, given = _words(path, situation), set(_given_names(found))
    targets = list(list_targets(situation.behind, path))
    added = [one for one in targets if one.kind in _DEFINED and one.name not in known]
    local = {one.name for one in targets if one.kind is SymbolKind.LOCAL and _is_bound_in(one, rows, source)}
    for target in targets:
        if target.name in ("self", "cls") or (old and target.name not in old):
            continue
        at = _starts(target)
        bound = (
            {binding.span[0] for binding in target.variable.bindings}
            if target.variable is not None
            else set()
        )
        if old:
            near = any(source.line_number(item) in rows for item in at)
            weight = _SAID * (1.0 if places & at else 0.5 if near else 0.0)
        elif target.owner is not None and target.line not in rows:
            weight = 0.0
        elif places & bound:
            weight = _BROUGHT if target.name not in known else _KNOWN
            # An edit that adds a definition is rather about it than about what it has in it or imports.
            weight *= _BESIDE if (added and target not in added) or target.kind is SymbolKind.IMPORT else 1.0
        else:
            beside = any(source.line_number(item) in rows for item in bound)
            weight = _BOUND if beside else _USED if places & at else 0.0
            if not given and local == {target.name}:
                weight = _GIVEN
            if len(given) == 1:
                weight = _GIVEN if beside and target.name in given else _BESIDE * weight
        spelled = _spelled(new, target.name) if weight else ""
        if not spelled or spelled == target.name:
            continue
        texts = _everywhere(target, path, spelled, situation.behind, target.name not in known)
        if texts:
            yield weight, texts


def _is_bound_in(target: Target, rows: set[int], source: Source) -> bool:
    """Whether a variable gets its value in some lines."""
    bindings = target.variable.bindings if target.variable is not None else ()
    return any(source.line_number(one.span[0]) in rows for one in bindings)


def _given_names(found: Sequence[LineChange]) -> Iterator[str]:
    """The names in front of what was written: those that were given a value, a default or a type."""
    for change in found:
        for token in change.written():
            line = change.text[change.text.rfind("\n", 0, token.start) + 1 : token.start]
            if named := _GIVES.search(line):
                yield named[1]


def _everywhere(target: Target, path: str, new: str, repo: Repository, brought: bool) -> Texts:
    """The files with another name for a target; a name that the edit brought is one for all that has it: a
    parameter, and the attribute that it is kept in."""
    texts: dict[str, str | None] = {}
    following: Target | None = target
    for _ in range(_MOST_ALIKE):
        try:
            plan = plan_of((call("rename", target=str(following), new=new),), repo)
        except Unresolved:
            break
        if not isinstance(plan, Plan):
            break
        made = plan.texts(repo)
        texts |= made
        if not brought:
            break
        repo = repo.with_changes(made)
        alike = list_targets(repo, path, target.name)
        following = next((item for item in alike if item.name == target.name), None)
        if following is None:
            break
    return texts


def _starts(target: Target) -> set[int]:
    """Where the name of a target stands in its file, as far as that is known."""
    return (
        {occurrence.span[0] for occurrence in target.variable.occurrences}
        if target.variable is not None
        else set()
    )


def _as_text(
    path: str, found: Sequence[LineChange], new: str, old: set[str], situation: Situation
) -> Iterator[tuple[float, Texts]]:
    """With another text for a key or option that was written, and for the attribute of an option."""
    known = _words(path, situation)
    text = situation.behind.index.text(path) or ""
    source = situation.behind.index.source(path)
    groups: dict[str, list[int]] = {}
    weights: dict[str, float] = {}
    for change in found:
        for token in change.written():
            inner = inner_text(token.text) if is_string(token.text) else ""
            if (
                not re.fullmatch(r"-{0,2}\w[\w.-]*", inner)
                or "f" in token.text[: token.text.index(inner)].lower()
            ):
                continue
            keyed = _is_key(change, token)
            if old & {inner, inner.lstrip("-")} if old else keyed:
                fresh = not set(re.findall(r"\w+", inner)) <= known
                weights[token.text] = _SAID if old else _KEY if fresh or keyed == "dict" else _KNOWN
                groups.setdefault(token.text, []).append(change.offset(token.start, source))
    for shown, starts in groups.items():
        inner = inner_text(shown)
        bare = new if re.fullmatch(r"-{0,2}\w[\w.-]*", new) else "_".join(split_name(new))
        dashes = inner[: len(inner) - len(inner.lstrip("-"))]
        bare = bare if bare.startswith("-") or not dashes else dashes + bare.replace("_", "-")
        places = [(item + shown.index(inner), inner, bare) for item in starts]
        if dashes:
            was, is_ = (item.lstrip("-").replace("-", "_") for item in (inner, bare))
            for change in found:
                for token in change.written():
                    if token.text == was and token.before == ".":
                        places.append((change.offset(token.start, source), was, is_))
        now = text
        for start, was, is_ in sorted(places, reverse=True):
            now = now[:start] + is_ + now[start + len(was) :]
        yield weights[shown], {path: now}


def _is_key(change: LineChange, token: Token) -> str:
    """What makes a string a name: that of an item of a dict (`dict`), or what something is looked up by."""
    line = change.text[change.text.rfind("\n", 0, token.start) + 1 : token.start]
    if token.before in ("{", ",", "(", "") and re.match(r"\s*:(?!=)", change.text[token.end :]):
        return "dict"
    return "look-up" if _KEYED.search(line) else ""


def _words(path: str, situation: Situation) -> frozenset[str]:
    """The words that stood in a file before the edit."""
    assert situation.before is not None
    return frozenset(re.findall(r"\w+", situation.before.index.text(path) or ""))


def _spelled(new: str, like: str) -> str:
    """A name in the style of another one; empty where the text is none."""
    if new.isidentifier():
        return new
    words = re.fullmatch(r"\w+(?:[ -]\w+)+", new) is not None and phrases.value(new) is None
    return styled(split_name(new), like) if words else ""
