"""Edits that need no reading: of a pasted patch, and those that a linter has for the problems that it
reported."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Edit, Plan, Unfollowed
from spark_tui.errors import SparkError
from spark_tui.intent.planning.answers import Answer
from spark_tui.problems.describe import read_fix_request
from spark_tui.problems.problem import Problem
from spark_tui.problems.ruff import ruff_fixes
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.reader.pasted_input import has_words_beside, pasted_patch, pasted_problems
from spark_tui.session.reader.read_instruction import ReadInstruction, ReadWay
from spark_tui.session.tree.exact_edits import ExactEdits
from spark_tui.session.tree.patch_text import PatchText

_WORDS_BESIDE = "the patch is applied as it is; the words around it are ignored"
_UNSAFE = "ruff calls this fix unsafe: the code may not do the same any more"

_NO_FIX = "No fix is known for {code} at {place}. A connected model can try: `/connect`."


def pasted_edit(text: str, edits: ExactEdits, begun: float) -> ReadInstruction | None:
    """What is done about a message that holds its edit; None for any other."""
    patch = pasted_patch(text, edits.files.tree)
    return None if patch is None else _patched(text, edits, patch, begun)


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


def linter_edit(text: str, edits: ExactEdits, begun: float, unsafe: bool = False) -> ReadInstruction | None:
    """The fixes of ruff for the problems that a message asks to fix or consists of, as one edit; None if it
    has none. A single fix may be an `unsafe` one, which is marked."""
    asked = read_fix_request(text)
    problems = pasted_problems(text, edits.root) if asked is None else (asked,)
    made: list[Edit] = []
    titles: list[str] = []
    marked: list[Unfollowed] = []
    for path, group in groupby(sorted(problems, key=attrgetter("path")), attrgetter("path")):
        here = list(group)
        source = edits.repo.index.text(path) or ""
        for problem, fix in zip(here, ruff_fixes(edits.root, path, source, here), strict=True):
            new = [] if fix is None else [Edit(path, *edit) for edit in fix.edits]
            if fix is None or _overlap(new, made):
                marked.append(Unfollowed(path, problem.line, f"{problem.code} is not fixed"))
                continue
            made += new
            titles.append(fix.title)
            marked += [] if fix.safe else [Unfollowed(path, problem.line, _UNSAFE)]
    if not made or (len(problems) == 1 and marked and not unsafe):
        return None
    plan = checked(Plan(tuple(dict.fromkeys(made)), tuple(marked)), edits.repo)
    hunks = edits.hunks(plan)
    shown, read = "; ".join(dict.fromkeys(titles)), edits.as_read(hunks)
    planned = PlannedEdit(text, shown, plan, hunks, read, time.monotonic() - begun)
    return ReadInstruction("stop", (ReadWay(shown, planned),)) if hunks else None


def _overlap(new: Sequence[Edit], made: Sequence[Edit]) -> bool:
    return any(
        one.path == other.path and one != other and one.start < other.end and other.start < one.end
        for one in new
        for other in made
    )


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
