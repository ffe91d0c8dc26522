"""Several operations as one plan: each is planned on what the one before leaves."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.codemods.joined import as_before, from_texts
from spark_tui.codemods.plan import Edit, Plan, Refusal, Refused, Unfollowed
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.edits import checked_later, plan_edits, refuse_harm
from spark_tui.pysource.repository import Repository

_MANY = 8
"""From how many calls on they are planned at once, if they can be."""
_MOST = 100
"""How many are planned one after the other, each of which takes as long as the file is."""


def join(calls: Sequence[Operation], repo: Repository) -> Plan | Refused:
    """One plan of all calls. A call that finds nothing to do is passed over, unless all of them do."""
    if len(calls) >= _MANY and (plan := _at_once(calls, repo)) is not None:
        return plan
    if len(calls) > _MOST:
        return Refused(f"{len(calls)} places cannot be changed one after the other: say which of them")
    texts: dict[str, str | None] = {}
    unfollowed: list[Unfollowed] = []
    nothing: list[str] = []
    now = repo
    for call in calls:
        found = call.plan(now)
        if isinstance(found, Refused):
            if found.why != "nothing":
                return found
            nothing.append(found.reason)
            continue
        unfollowed += [as_before(item, repo, now) for item in found.unfollowed]
        texts |= found.texts(now)
        now = repo.with_changes(texts)
    if not texts and nothing:
        return Refused("; ".join(nothing), why="nothing")
    return from_texts(texts, repo, unfollowed)


def _at_once(calls: Sequence[Operation], repo: Repository) -> Plan | None:
    """The plan of calls of which each changes lines of its own, but not their number: they are checked once.
    None where one of them is no such call, or is refused."""
    changed, every, unfollowed = dict[tuple[str, int], int](), list[Edit](), list[Unfollowed]()
    with checked_later() as later:
        for number, call in enumerate(calls):
            found = call.plan(repo)
            if isinstance(found, Refused) and found.why == "nothing":
                continue
            if isinstance(found, Refused) or found.created or found.removed or found.moved:
                return None
            for edit in found.edits:
                text = repo.index.text(edit.path) or ""
                first, last = (text.count("\n", 0, at) for at in (edit.start, edit.end))
                if edit.new.count("\n") != last - first:
                    return None
                rows = [(edit.path, row) for row in range(first, last + 1)]
                if any(changed.setdefault(row, number) != number for row in rows):
                    return None
            every += found.edits
            unfollowed += found.unfollowed
    if not every or not later.fit():
        return None
    try:
        plan = plan_edits(repo, every, unfollowed, given=later.given)
        plan = refuse_harm(repo, plan) if later.harm else plan
    except Refusal:
        return None
    return from_texts(plan.texts(repo), repo, plan.unfollowed)
