"""Edits that need no reading: of a pasted patch, and those that a linter has for the problems that it
reported."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Edit, Plan, Unfollowed
from spark_tui.errors import SparkError
from spark_tui.intent.answering.answer import answer_fix
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.problems.describe import fix_request, read_fix_request
from spark_tui.problems.problem import Problem
from spark_tui.problems.ruff import RuffFix, ruff_fixes
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.reader.pasted_input import has_words_beside, is_cut_off, pasted_patch, pasted_problems
from spark_tui.session.reader.read_instruction import ReadInstruction, ReadWay
from spark_tui.session.tree.exact_edits import ExactEdits
from spark_tui.session.tree.patch_text import PatchText

_WORDS_BESIDE = "the patch is applied as it is; the words around it are ignored"
_CUT_OFF = "This patch is cut off before its first hunk: paste the whole of it."
_UNSAFE = "ruff calls this fix unsafe: the code may not do the same any more"

_SECONDS, _SECONDS_OF_RUFF = 10.0, 5.0
"""For how long fixes are looked for, and how long ruff may take for those of a file."""
_PLACE = attrgetter("path", "line", "column")
_FIXED = Done("fix_error", {}, (), kind_only=True)
_NO_FIX = "No fix is known for {code} at {place}. A larger model can try: `/connect`."


def pasted_edit(text: str, edits: ExactEdits, begun: float) -> ReadInstruction | None:
    """What is done about a message that holds its edit; None for any other."""
    patch = pasted_patch(text, edits.files.tree)
    if patch is not None:
        return _patched(text, edits, patch, begun)
    return ReadInstruction("cannot", (), _CUT_OFF, time.monotonic() - begun) if is_cut_off(text) else None


def _patched(text: str, edits: ExactEdits, patch: PatchText, begun: float) -> ReadInstruction:
    """The edits of a pasted patch, all or none."""
    try:
        patch.judge()
    except SparkError as error:
        sentence = ": ".join(filter(None, ("This patch is not applied", error.where, error.what)))
        hint = error.hint[:1].upper() + error.hint[1:]
        return ReadInstruction("cannot", (), f"{sentence}. {hint}".rstrip(), time.monotonic() - begun)
    hunks = tuple(patch.hunks)
    guessed = (_WORDS_BESIDE,) if has_words_beside(patch) else ()
    seconds = time.monotonic() - begun
    read = edits.as_read(hunks)
    planned = PlannedEdit(text, "patch", Plan(), hunks, read, seconds, guessed=guessed)
    return ReadInstruction("stop", (ReadWay("patch", planned),))


def _joined(found: Sequence[tuple[Problem, Way | None]], repo: Repository, apart: bool = False) -> Way:
    """The fixes of several problems as one edit, with a mark for each that is not in it. `apart`: without
    those with which a file would not compile, as two that each leave a block its last statement."""
    edits: tuple[Edit, ...] = ()
    marked: list[Unfollowed] = []
    titles: list[str] = []
    for problem, way in found:
        plan = way.plan if way is not None else Plan()
        both = tuple(dict.fromkeys((*edits, *plan.edits)))
        fits = plan.edits and not (plan.created or plan.removed or plan.moved or _overlap(plan.edits, edits))
        if way is None or not fits or (apart and _breaks(both, problem.path, repo)):
            marked.append(Unfollowed(problem.path, problem.line, f"{problem.code} is not fixed"))
            continue
        edits = both
        titles.append(way.title)
        marked += plan.unfollowed
        marked += (Unfollowed(problem.path, problem.line, mark) for mark in way.marked)
    plan = checked(Plan(edits, tuple(dict.fromkeys(marked))), repo)
    if not apart and any(finding.kind == "parses" for finding in plan.findings):
        return _joined(found, repo, apart=True)
    return Way((), plan, 1.0, (), "; ".join(dict.fromkeys(titles)), _FIXED)


def _breaks(edits: tuple[Edit, ...], path: str, repo: Repository) -> bool:
    return compile_error(Plan(edits).texts(repo).get(path) or "") is not None


def linter_answer(text: str, root: Path, situation: Situation, begun: float) -> Answer | None:
    """What fixes the problems that a message asks to fix or consists of: for each the fix that ruff has,
    before an unsafe one an exact edit. None for any other message."""
    asked = read_fix_request(text)
    problems = pasted_problems(text, root) if asked is None else (asked,)
    repo, until = situation.repo, begun + _SECONDS
    found: list[tuple[Problem, Way | None]] = []
    for path, group in groupby(sorted(dict.fromkeys(problems), key=_PLACE), attrgetter("path")):
        here = list(group)
        source = repo.index.text(path) or ""
        fixes = ruff_fixes(root, path, source, here, min(_SECONDS_OF_RUFF, until - time.monotonic()))
        for problem, fix in zip(here, fixes, strict=True):
            way = None if fix is None else _way_of(fix, path)
            if way is None or way.marked:
                request = text if asked else fix_request("the linter", [problem], root, root)
                late = len(problems) > 1 and time.monotonic() > until
                own = answer_fix(request, situation) if not late else None
                if len(problems) == 1 and (way is None or (own is not None and own.ways)):
                    return own
                way = own.ways[0] if own is not None and own.kind == "edit" else way
            found.append((problem, way))
    if any(way for _, way in found):
        return Answer("edit", (_joined(found, repo),))
    if not problems:
        return None
    return Answer("write", reason=_NO_FIX.format(code=problems[0].code, place=problems[0].place))


def _way_of(fix: RuffFix, path: str) -> Way:
    edits = tuple(Edit(path, *edit) for edit in fix.edits)
    return Way((), Plan(edits), 1.0, () if fix.safe else (_UNSAFE,), fix.title)


def _overlap(new: Sequence[Edit], made: Sequence[Edit]) -> bool:
    return any(
        one.path == other.path
        and one != other
        and ((one.start < other.end and other.start < one.end) or _inserts_beside(one, other))
        for one in new
        for other in made
    )


def _inserts_beside(one: Edit, other: Edit) -> bool:
    """Whether two texts that are no lines are put in one place, in an order that nothing tells."""
    lines = one.new.endswith("\n") and other.new.endswith("\n")
    return one.start == one.end == other.start == other.end and not lines


def at_problem(found: Answer, problem: Problem, repo: Repository) -> Answer:
    """The edits of the words of a problem that are made where it is: the words are not those of a person."""
    text = repo.index.text(problem.path) or ""

    def is_there(edit: Edit) -> bool:
        first = text.count("\n", 0, edit.start)
        return edit.path == problem.path and first <= problem.line <= 2 + text.count("\n", 0, edit.end)

    ways = tuple(way for way in found.ways if any(map(is_there, way.plan.edits)))
    if ways or not found.ways:
        return replace(found, ways=ways)
    return Answer("write", reason=_NO_FIX.format(code=problem.code, place=problem.place))
