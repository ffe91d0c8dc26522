"""The arguments of `spark exec`, and which of them are refused before the model is asked."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from spark_tui.cli import flags
from spark_tui.errors import NoPlace, Refused, UsageError
from spark_tui.workspace.files import Tree
from spark_tui.workspace.git import check_installed
from spark_tui.workspace.repository import find_repository


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("instruction", nargs="*", help="the instruction; `-` or nothing reads it from standard input")
    add("-f", "--file", action="append", default=[], metavar="PATH", help="show this file (repeatable)")
    add("--apply", action="store_true", help="write the edit, all or nothing; it can be undone")
    add("--commit", action="store_true", help="write the edit and commit only what was written")
    add("-m", "--message", metavar="TEXT", help="commit message (default: drafted from the instruction)")
    add(
        "--resume",
        metavar="ID",
        help=(
            "resume a stopped session (or `last`); an instruction steers it, or follows up if the turn was"
            " complete"
        ),
    )
    add("--json", action="store_true", help="print every event as a JSON line (see docs/exec.md)")
    add(
        "--timeout",
        type=flags.seconds,
        default=0.0,
        metavar="SECONDS",
        help="stop after this many seconds (exit code 124)",
    )
    add(
        "--choose",
        type=flags.whole_number(1),
        default=0,
        metavar="N",
        help="if several edits may be meant, take the one with this number",
    )
    add("--schema", action="store_true", help="print the JSON Schema of the event lines and exit")
    flags.add_place(parser)
    flags.add_backend(parser)


_BACKEND = {
    "--connect": "model.connect",
    "--api": "model.api",
    "--model": "model.name",
    "--replay": "model.replay",
}


_ADDRESS = '"${SPARK_MODEL_CONNECT:?set it to the address with its query}"'
"""Where it is not set, the shell says so and runs nothing."""


def names_backend(args: argparse.Namespace) -> bool:
    """Whether the command line says who answers."""
    return any(getattr(args, key, None) for key in _BACKEND.values())


def command_to_resume(args: argparse.Namespace, session_id: str) -> str:
    """The command that goes on with a session, where it was and with the model that it had. An address with a
    query, which may be a key, is left to the environment."""
    words = ["spark", "exec", "--resume", shlex.quote(session_id)]
    for flag, key in {"-C": "directory", **_BACKEND}.items():
        value = getattr(args, key, None)
        if value not in (None, "", "."):
            words += flag, _ADDRESS if flag == "--connect" and "?" in value else shlex.quote(value)
    return " ".join(words)


def instruction_of(words: list[str]) -> str:
    """The words of the command line, or what stands in the standard input."""
    if len(words) > 1 and "-" in (words[0], words[-1]):
        raise UsageError(
            "`-` reads all of the instruction from standard input", hint="Give words or `-`, not both."
        )
    instruction = " ".join(words).strip()
    if instruction and words != ["-"]:
        return instruction
    if (words and words != ["-"]) or (not words and sys.stdin.isatty()):
        raise UsageError(
            "there is no instruction", hint='For example: spark exec "rename qty to quantity" -f cart.py'
        )
    text = sys.stdin.read().strip()
    if not text:
        raise UsageError("standard input is empty", hint='For example: echo "add a docstring" | spark exec')
    if "\0" in text:
        raise UsageError("standard input is not text", hint="The instruction is words; name files with -f.")
    return text


def check_readable(root: Path, files: Sequence[str], most_bytes: int) -> None:
    """A file that was named and cannot be shown is refused: an answer without it is to another question."""
    tree = Tree(root, most_bytes=most_bytes)
    for path in files:
        tree.read_lines(path)


def check_commit(root: Path) -> None:
    """Refuse early what could not be committed, so that it is not written either."""
    check_installed()
    found = find_repository(root)
    if found is None:
        hint = "Run git init first, or use --apply instead of --commit."
        raise NoPlace("this is not a git repository", where=str(root), hint=hint)
    if not found.writable:
        hint = "Check its owner and permissions, or use --apply instead of --commit."
        raise Refused("the repository is not writable", where=str(found.git_dir), hint=hint)
    if found.underway:
        raise Refused(f"a {found.underway} is in progress", where=str(root), hint="Finish or abort it first.")
