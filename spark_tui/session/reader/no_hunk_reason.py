"""Why an answer has no hunk, and what to do without a larger model."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Container, Sequence

from spark_tui.codemods.config_files.editing import format_of
from spark_tui.codemods.plan import Refusal
from spark_tui.context.mentions import find_mentions
from spark_tui.context.repo_map import is_code
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.pysource.parse_errors import parse_error
from spark_tui.pysource.repository import Repository

CONNECT = "`/connect`"
"""How to connect a model in the workbench."""
CAN_DO = (
    "The built-in reader makes exact edits of Python and configuration files, and changes words and values in"
    f" others; for anything else connect a larger model: {CONNECT}."
)
_CHECK = "`/check pytest -q` runs your tests, or another check, and `f` on what it lists asks for the fix"
_WATCH = "`spark watch -- pytest -q` runs your tests, or another check"
ONLY_EDITS = (
    "This was not read as an edit, and the built-in reader does nothing else; if it is one, name what to"
    f" change and where. {_CHECK}; for anything else connect a larger model: {CONNECT}."
)
QUESTION = f"This is a question, and the built-in reader only edits. A larger model can answer: {CONNECT}."
NO_NEW_FILE = (
    "There is no file {path}, and the built-in reader makes no new ones. Create it"
    f" (`/open {{path}}`) and ask again, or connect a larger model: {CONNECT}."
)
_OPEN = re.compile(r" \(`/open [^`]+`\)")
DECLINED = ("cannot", "no_edit")
"""The finish reasons of answers that explain in prose why there is no hunk."""
_MOST_NAMED = 3
_VERDICTS = {
    "cannot": "the model declined: it cannot do this",
    "no_edit": "the model sees nothing to change",
    "choices": "not sure which edit is meant",
}
_CODE = re.compile(
    r"^[ \t>]*(```|~~~|@@ |(---|\+\+\+|\*\*\*) \S|(<{5,9}|-{5,9}) ?(SEARCH|ORIGINAL)|\{\""
    r"|<(edit|file|search)\b)",
    re.MULTILINE,
)


def explain(kind: str, reason: str, paths: Sequence[str]) -> str:
    """Why the reader makes no edit, for a kind of answer about these files; empty where it makes one."""
    if kind in ("edit", "choices", "nothing", "undo"):
        return reason
    known = [path for path in paths if path]
    if kind == "write" and known and not any(map(_is_readable, known)):
        return CAN_DO  # what is missing in the Python files is beside the point
    return reason or {"question": QUESTION, "cannot": ONLY_EDITS}.get(kind, CAN_DO)


def _is_readable(path: str) -> bool:
    """Whether a file is one of Python, or one of settings."""
    with contextlib.suppress(Refusal):
        return path.endswith((".py", ".pyi")) or bool(format_of(path))
    return False


def for_command(text: str, command: str) -> str:
    """The text with the command's own way to connect a model."""
    return without_screen(text).replace(f": {CONNECT}.", f": `{command} --connect URL`.")


def without_screen(text: str) -> str:
    """The text without commands that only the screen of the workbench has."""
    return _OPEN.sub("", text.replace(_CHECK, _WATCH))


def why_no_hunk(reason: str, answer: str, *, edited: bool = False, exact: bool = False) -> str:
    """Why a finished turn has no hunk. `answer`: its prose. `edited`: an edit was placed but changes
    nothing. `exact`: no model was asked, and the prose gives the reason."""
    if answer.strip() and (exact or reason in DECLINED):
        return " ".join(answer.split()).rstrip(".")
    if reason in _VERDICTS:
        return _VERDICTS[reason]
    if edited:
        return "the edit changes nothing: the file already has this text"
    if has_code(answer):
        return "the answer contains code that spark could not place; if a file is meant, name it with @"
    return "the answer is text without an edit" if answer.strip() else "the answer is empty"


def has_code(answer: str) -> bool:
    """Whether an answer has code in it, or something that looks like an edit."""
    return _CODE.search(answer) is not None


def found_elsewhere(found: Sequence[str], named: Sequence[str]) -> str:
    """Why what was found in these files is a choice, or none, where others are named."""
    others = ", ".join(found[:_MOST_NAMED])
    found_in = f"what is meant in {others}, not" if others else "nothing to change"
    return f"The built-in reader found {found_in} in {', '.join(named)}."


def error_of_open(repo: Repository, shown: Sequence[str], found: Container[str]) -> str:
    """Why nothing was found in the files that are named or open: one does not parse. Empty where it was."""
    read = [path for path in shown if path in repo.index.paths]
    broken = [path for path in read if not repo.index.parses(path)]
    return (
        parse_error(repo.index.source(broken[0])) if broken and not any(map(found.__contains__, read)) else ""
    )


def names_no_file(ask: ContextRequest, disk: Repository) -> bool:
    """Whether a path is mentioned that does not exist or is not a text file."""
    found = [mention for mention in find_mentions(ask.instruction) if not mention.is_glob]
    paths = [mention.path for mention in found if is_code(mention.path) or not mention.may_be_symbol]
    return any(disk.index.text(path) is None for path in paths)


def no_such_hunk(waiting: Sequence[Hunk]) -> str:
    """The answer to a message that counts a hunk which is not there."""
    if not waiting:
        return "No hunk is waiting to be written. “undo that” takes back the last edit that is in the files."
    many = "1 hunk is" if len(waiting) == 1 else f"{len(waiting)} hunks are"
    numbers = f" ({', '.join(str(hunk.id) for hunk in waiting)})"
    return f"There is no such hunk: {many} waiting to be written{numbers}."
