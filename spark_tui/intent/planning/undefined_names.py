"""Edits that would use a name that nothing defines are no answer, unless a person typed it as code."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches

from spark_tui.codemods.families.classes.bases import AddBase
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.intent.planning.executing import TAKING_AWAY, Outcome, decision_settings
from spark_tui.pysource.names.undefined import is_fragment
from spark_tui.pysource.repository import Repository

_OPENS, _GOES_ON = re.compile(r"(?:[=(\[+*/%<>]|\w\.)\Z"), re.compile(r"[=(\[+*/%<>]|\.\w| [-+*/]?= ")


def without_undefined(found: Answer, situation: Situation) -> Answer:
    """The answer without edits that use a name that nothing defines; where no other edit is left, that this
    cannot be done. It is asked of the edit of all orders: one may define what another one uses."""
    ways = tuple(way for way in found.ways if not _lost(way, situation))
    if len(ways) == len(found.ways):
        return found
    if ways:
        return replace(found, kind="choices" if len(ways) > 1 else "edit", ways=ways, best=ways[0])
    reason = _lost(found.ways[0], situation)
    return Answer("cannot", reason=decision_settings()["sentences"]["refused"].format(reason=reason))


def with_typed_names(outcome: Outcome, situation: Situation) -> Outcome:
    """The outcome without edits that take away the statement that sets a name which is still used, unless
    the statement was shown as code: that is done, and marked; and without those that use a name which nothing
    defines and the file has as a text, where the same words make another edit."""
    repo, text = situation.repo, situation.instruction
    sound = [
        one.candidate.reading for one in outcome.executed if not any(x.undefined for x in one.plan.findings)
    ]
    lost = []
    for item in outcome.executed:
        reason = _text_taken_for_name(item.plan, repo) if item.candidate.reading in sound else ""
        if not reason and any(isinstance(call, TAKING_AWAY) for call in item.calls):
            reason = _lost_name(item.plan, repo, text)
        if reason:
            lost.append((item, reason))
    if not lost:
        return outcome
    gone = [item for item, _ in lost]
    refused = ((item.mass, Refused(reason), item.candidate) for item, reason in lost)
    return Outcome(
        tuple(item for item in outcome.executed if item not in gone),
        tuple(sorted((*outcome.refused, *refused), key=lambda item: -item[0])),
        outcome.unbuilt,
    )


def _text_taken_for_name(plan: Plan, repo: Repository) -> str:
    """What the checks say of a name that nothing defines and that the file has as a text: `"EUR"`."""
    for finding in plan.findings:
        shown = rf"""(["']){re.escape(finding.undefined)}\1"""
        if finding.undefined and re.search(shown, repo.index.text(finding.path) or ""):
            return finding.reason
    return ""


def _lost(way: Way, situation: Situation) -> str:
    repo = situation.before or situation.repo if way.from_before else situation.repo
    return _lost_name(way.plan, repo, situation.instruction) or _no_base(way, repo, situation.instruction)


def _no_base(way: Way, repo: Repository, instruction: str) -> str:
    """Why a class does not get a base that nothing defines, with the classes of nearly that name: the file
    could not even be imported. What is shown between backquotes is done, and marked."""
    wanted = {call.base.partition(".")[0] for call in way.calls if isinstance(call, AddBase)}
    for finding in way.plan.findings:
        name = finding.undefined
        if name in wanted and not (_is_shown(name, instruction) or _in_fragment(finding.path, repo)):
            near = get_close_matches(name, repo.index.symbol_names)
            kinds = {one: {symbol.kind for _, symbol in repo.index.symbols(one)} for one in near}
            return str(Refused(finding.reason, tuple(one for one in near if "class" in kinds[one])))
    return ""


def _is_shown(name: str, instruction: str) -> bool:
    """Whether a name stands between backquotes."""
    shown = re.findall(r"`[^`]*`", instruction)
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", code) for code in shown)


def _lost_name(plan: Plan, repo: Repository, instruction: str) -> str:
    """What the checks say of the first name that is lost. The names of a fragment are defined elsewhere."""
    for finding in plan.findings:
        name = finding.undefined
        if not name or (_is_typed(name, instruction) and not _takes_away(plan, repo, finding.path, name)):
            continue
        if not _in_fragment(finding.path, repo):
            return finding.reason
    return ""


def _takes_away(plan: Plan, repo: Repository, path: str, name: str) -> bool:
    """Whether new code uses a name that the old code, which goes, defined inside a function."""
    parts = [(edit.start, edit.end) for edit in plan.edits if edit.path == path]
    written = " ".join(edit.new for edit in plan.edits if edit.path == path)
    if not re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", written):
        return False
    known = repo.index.scopes(path).variables_by_name.get(name, ()) if repo.index.text(path) else ()
    bound = (one for item in known if item.scope is not None and item.scope.outer for one in item.bindings)
    return any(start <= one.span[0] and one.span[1] <= end for one in bound for start, end in parts)


def _in_fragment(path: str, repo: Repository) -> bool:
    return bool(repo.index.text(path)) and is_fragment(repo.index.scopes(path))


def _is_typed(name: str, instruction: str) -> bool:
    """Whether a name stands in the instruction as code, and not as a word: that is done, and marked."""
    for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", instruction):
        front, behind = instruction[: found.start()], instruction[found.end() :]
        in_code = front.count("`") % 2 == 1 or "_" in name or "." in name or not name.islower()
        if in_code or _OPENS.search(front) or _GOES_ON.match(behind):
            return True
    return False
