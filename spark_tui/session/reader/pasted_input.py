"""Pasted input instead of an instruction: a patch, or the output of a failed program."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from spark_tui.problems.describe import fix_request
from spark_tui.problems.locate import Located, locate
from spark_tui.problems.problem import Problem
from spark_tui.problems.reader import ProblemReader
from spark_tui.session.tree.patch_text import PatchText
from spark_tui.workspace.files import Tree

_PATCH = re.compile(
    r"^(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|\*\*\* Begin Patch$|<{5,9} SEARCH$)", re.MULTILINE
)
_HEADER = re.compile(r"^(?:diff --git |--- |\+\+\+ |\*\*\* |<{5,9} SEARCH|From [0-9a-f]{40})", re.MULTILINE)
_CUT_OFF = re.compile(r"^--- \S.*\n\+\+\+ \S", re.MULTILINE)
_TRACEBACK = re.compile(r"^[^\S\n]*(?:Traceback \(most recent call last\):|E   )", re.MULTILINE)

_SUMMARY = re.compile(
    r"^(?:Found \d+ errors?.*|\[\*\] \d+ fix.*|No fixes available.*|\*{13} Module .*|-{9,}"
    r"|Your code has been rated at .*)\n",
    re.MULTILINE,
)
"""Lines of a linter that are about no place."""
_PLEASE = re.compile(
    r"(?<!\s)\s*(?:please )?(?:fix|resolve)(?: (?:this|these|that|it))?:?\s+(?=\S)", re.IGNORECASE
)
"""Tried at the first blank of several only: there may be thousands."""
_LINTED = re.compile(r"\.pyi?:\d+(?::\d+)?: \[?[A-Z]+\d{2,}")
_LINTERS = ("ruff", "flake8", "pylint", "mypy", "pyright")


def pasted_patch(text: str, tree: Tree) -> PatchText | None:
    """The edits of a patch in any format; None if the text is not a patch."""
    if not _PATCH.search(text):
        return None
    found = PatchText(iter([f"{text}\n"]), tree)
    return found if found.hunks or _HEADER.search(text) else None


def is_cut_off(text: str) -> bool:
    """Whether a text, in which there is no patch, has the beginning of one."""
    return _CUT_OFF.search(text) is not None


def has_words_beside(patch: PatchText) -> bool:
    """Whether there are words around a pasted patch, which may ask for more than applying it."""
    return re.search(r"\w", patch.prose) is not None


def pasted_traceback(text: str, root: Path) -> str | None:
    """The instruction that asks for the fix of what a traceback ends with, if that is in this repository."""
    if not _TRACEBACK.search(text):
        return None
    reader = ProblemReader()
    found = [*reader.feed(f"{text}\n"), *reader.close()]
    here = [item for item in found if locate(item, root, root).where == "here"]
    return fix_request("a traceback", here[:1], root, root) if here else None


def pasted_problems(text: str, root: Path) -> tuple[Problem, ...]:
    """The problems of a linter of which a message consists, if all are in this repository; paths are those of
    the folder in which this program runs, or of the root. With words beside them there are none."""
    plain = _SUMMARY.sub("", f"{_PLEASE.sub('', text, count=1)}\n")
    skipped, places = _problems_of(plain, root)
    if skipped and places:
        shown = {_line_of(at.path, at.line, root) for at in places if at.where == "here"}
        lines = plain.splitlines(keepends=True)
        rest = "".join(line for line in lines if line.strip() not in shown and line.strip("^~| \n"))
        skipped, places = _problems_of(rest, root)
    if skipped or any(at.where != "here" or at.problem.tool not in _LINTERS for at in places):
        return ()
    return tuple(replace(at.problem, path=at.path, line=at.line) for at in places)


def _problems_of(text: str, root: Path) -> tuple[bool, list[Located]]:
    """Whether there is anything besides problems in a text, and these."""
    reader = ProblemReader()
    found = [*reader.feed(text), *reader.close()]
    return bool(reader.skipped), [locate(item, root, Path.cwd()) for item in found]


def _line_of(path: str, line: int, root: Path) -> str:
    """The code of a line, which many linters show under their own."""
    try:
        return (root / path).read_text("utf-8").splitlines()[line - 1].strip()
    except (OSError, UnicodeDecodeError, IndexError):
        return ""


def has_pasted_lines(text: str) -> bool:
    """Whether a linter's line stands in a message."""
    return _LINTED.search(text) is not None
