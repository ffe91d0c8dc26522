"""At most one offer: the candidates ranked, planned and checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from spark_tui.codemods.checks.harm import CHECKS, check
from spark_tui.codemods.checks.origin import origin
from spark_tui.codemods.plan import Edit, Plan
from spark_tui.next_edit.candidates import Candidate, Situation, candidates
from spark_tui.next_edit.confidence import confidence, has_weights, is_shown
from spark_tui.next_edit.features import replaced_name
from spark_tui.next_edit.tokens import Tokens, tokens_of
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.pysource.names.undefined import KNOWN, undefined
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.shared_ends import same_ends

_AS_LIKELY = 0.06
_AS_GOOD = 0.02
"""Candidates that are so close to the best one have to agree with it."""
_MOST_CHECKED = 3
_EXACT = ("rename", "signature", "import")
_TAKING_TYPES = ("cast", "TypeVar", "NewType", "ForwardRef")
_OF_PROSE = ("parses", "origin")
"""The checks that find something where no code changes: the others cost most of the time."""
_LONG_F_STRING = re.compile(r"""[fF][rR]?(?:\"{3}|'{3})""")
_MOST_FILES = 300
"""An offer that would change more files is none: nobody can look through it."""


@dataclass(frozen=True)
class Offer:
    """What is offered: the checked plan of the rest, in a few words."""

    words: str
    plan: Plan

    @property
    def places(self) -> int:
        return len(self.plan.edits)

    @property
    def line(self) -> str:
        """`7 more places in 3 files: rename qty → quantity`."""
        files = len(self.plan.paths)
        where = f" in {files} files" if files > 1 else ""
        return f"{self.places} more place{'s' if self.places > 1 else ''}{where}: {self.words}"


@no_collection()
def best_offer(
    at: Situation, dismissed: Collection[str] = (), go_on: Callable[[], bool] = lambda: True
) -> Offer | None:
    """The offer that is most likely meant; None where none is likely, two contradict, or `go_on` ended it."""
    if not _fit_to_ask(at):
        return None
    half_typed = _is_half_typed(at)
    found = [
        (sure, candidate)
        for candidate in candidates(at, go_on, has_weights)
        if candidate.words not in dismissed
        and not (half_typed and candidate.group == "name" and candidate.examples == 1)
        and not (at.taken_words and _is_looser(at, candidate))
        and is_shown(
            candidate.group,
            sure := confidence(candidate.group, candidate.features),
            candidate.examples,
            candidate.features,
        )
    ]
    if not found or not go_on():
        return None
    if any(one.group in _EXACT for _, one in found):
        # What has to follow goes before what may be likely next.
        found = [(sure, one) for sure, one in found if not one.features.get("scope next")]
    # Of those that are about as likely the one that does most.
    best = max(sure for sure, _ in found)
    if _contradict([one for sure, one in found if sure >= best - _AS_GOOD], at.now):
        return None
    ranked = sorted(found, key=lambda item: (item[0] < best - _AS_LIKELY, -len(item[1].edits)))
    for _, one in ranked[:_MOST_CHECKED]:
        plan = _checked(one, at)
        if plan is not None and compile_error(at.newest.after.text) is None:
            return Offer(one.words, plan)
    return None


def _fit_to_ask(at: Situation) -> bool:
    """Whether the edited file is whole around the change, and written by people."""
    if any(origin(at.now, at.now, [at.newest.path])):
        return False
    low, high = at.newest.after.block(*at.newest.new)
    text = at.newest.after.text
    # Half of a compound statement may stand alone in it: then the whole file says.
    return compile_error(text[low:high]) is None or compile_error(text) is None


def _is_looser(at: Situation, candidate: Candidate) -> bool:
    """Whether a pattern is another one than that of the offer that was taken: what a narrow one left is
    mostly meant to stay, unless Python asks for the change everywhere. The next places may tell otherwise."""
    known = candidate.features.get("python asks") or candidate.features.get("scope next")
    return candidate.group not in _EXACT and candidate.words != at.taken_words and not known


def _is_half_typed(at: Situation) -> bool:
    """Whether the newest change made a name that stands nowhere: more letters of it may come, or its
    definition."""
    names = replaced_name(at.newest)
    if names is None or names[1] in KNOWN:
        return False
    return next(at.before.index.files_with(names[1]), None) is None


def _checked(candidate: Candidate, at: Situation) -> Plan | None:
    """The plan without the files in which the checks find harm; None where nothing is left."""
    plan, repo = Plan(tuple(sorted(set(candidate.edits))), candidate.unfollowed), at.now
    if len(plan.paths) > _MOST_FILES:
        return None
    after = repo.with_changes(plan.texts(repo))
    is_prose = all(_has_same_code(repo, after, path) for path in plan.paths)
    checks = _OF_PROSE if is_prose else candidate.checks
    findings = check(repo, after, plan.paths, checks)
    if candidate.group == "rename":
        harm = any(finding.sure or finding.kind == "origin" for finding in findings)
        return None if harm else replace(plan, findings=tuple(findings), checked=checks or tuple(CHECKS))
    owed = _owed(at) if findings and candidate.examples > 1 else ()
    harmed = {finding.path for finding in findings if finding.undefined not in owed}
    if harmed:
        left = tuple(edit for edit in plan.edits if edit.path not in harmed)
        if not left or is_prose:
            return None
        plan, checks = Plan(left, candidate.unfollowed), ()
        findings = check(repo, repo.with_changes(plan.texts(repo)), plan.paths)
        if any(finding.undefined not in owed for finding in findings):
            return None
    doubts = tuple(replace(finding, sure=False) for finding in findings)
    return replace(plan, findings=doubts, checked=checks or tuple(CHECKS))


def _owed(at: Situation) -> Collection[str]:
    """The names that nothing defines in the examples either: the person is about to define or import them."""
    path = at.newest.path
    known = {occurrence.name for occurrence in undefined(at.before.index.scopes(path))}
    return {occurrence.name for occurrence in undefined(at.now.index.scopes(path))} - known


def _has_same_code(before: Repository, after: Repository, path: str) -> bool:
    """Whether a file differs in comments and texts only, none of which is put together when it runs, names
    what the file exports, or is a type."""
    old = tokens_of(before.index.text(path) or "")
    new = tokens_of(after.index.text(path) or "", old)
    if _LONG_F_STRING.search(new.text) is not None:
        return False
    if len(old) != len(new):
        return list(old.code) == list(new.code)
    return all(
        at in old.prose and at in new.prose
        for at, (one, two) in enumerate(zip(old.texts, new.texts, strict=True))
        if one != two and not (_is_plain_text(old, at) and _is_plain_text(new, at))
    )


def _is_plain_text(tokens: Tokens, at: int) -> bool:
    """Whether a token is a string that only says what is in it."""
    if tokens.texts[at][0] not in "'\"" or tokens.kind(at) == "annotation":
        return False
    first, _ = tokens.line(at)
    return tokens.texts[first] != "__all__" and tokens.texts[max(at - 2, 0)] not in _TAKING_TYPES


def _contradict(ranked: Sequence[Candidate], repo: Repository) -> bool:
    """Whether two of them make different things of one place."""
    made: dict[tuple[str, int], str] = {}
    for candidate in ranked:
        for path, at, new in _minimal(candidate.edits, repo):
            if made.setdefault((path, at), new) != new:
                return True
    return False


def _minimal(edits: Sequence[Edit], repo: Repository) -> Iterator[tuple[str, int, str]]:
    """The edits without what stays the same at their ends, as (path, first character, old and new text)."""
    for edit in edits:
        old, new = (repo.index.text(edit.path) or "")[edit.start : edit.end], edit.new
        head, tail = same_ends(old, new)
        yield edit.path, edit.start + head, f"{old[head : len(old) - tail]}\0{new[head : len(new) - tail]}"
