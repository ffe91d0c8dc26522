"""`spark patch`: apply model output of any edit format to a tree, all of it or nothing."""

from __future__ import annotations

import argparse
import codecs
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from spark_tui.cli import flags
from spark_tui.cli.output import reported
from spark_tui.config import paths
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import FORMATS
from spark_tui.errors import ExitCode, UsageError, visible
from spark_tui.session.tree.patch_text import PatchText, failure_values, hunk_values, newly_broken
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.files import MOST_BYTES, Tree

_READ_AT_ONCE = 1 << 20
_SESSION = "patch"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="file with the model output; `-` or nothing reads standard input",
    )
    add("--format", choices=FORMATS, default="auto", help="edit format of the text (default: auto)")
    add("-C", "--root", metavar="DIR", default=".", help="root of the tree; nothing outside it is written")
    add("--check", action="store_true", help="show what would happen and write nothing")
    add("--json", action="store_true", help="print one JSON object with hunks, failures and paths")
    add("--overwrite", action="store_true", help="let added and moved files overwrite existing ones")
    add("--ignored", action="store_true", help="also write files that git ignores")
    add(
        "--max-bytes",
        type=flags.whole_number(),
        metavar="N",
        default=MOST_BYTES,
        help=f"largest file to touch (default: {MOST_BYTES})",
    )


def run(args: argparse.Namespace) -> int:
    report: dict[str, Any] = {"applied": False, "paths": [], "merged": [], "checkpoint": ""}
    report |= {"hunks": [], "failures": [], "breaks": [], "error": None}
    return reported(lambda: _patch(args, report), report, as_json=args.json)


def _patch(args: argparse.Namespace, report: dict[str, Any]) -> ExitCode:
    root = flags.folder(args.root, "--root")
    ledger = TreeWriter(
        root, paths.repository_state_dir(root), _SESSION, ignored=args.ignored, most_bytes=args.max_bytes
    )
    ledger.recover()
    tree = Tree(root, most_bytes=args.max_bytes)
    patch = PatchText(_texts(args.file), tree, format=args.format, overwrite=args.overwrite)
    report["hunks"] = [hunk_values(hunk) for hunk in patch.hunks]
    report["failures"] = [failure_values(failure) for failure in patch.failures]
    patch.judge()
    report["breaks"] = newly_broken(patch.hunks, tree)
    if args.check:
        ready = ledger.plan(patch.hunks, tree)
        report["paths"], report["merged"] = list(ready.paths), list(ready.merged)
    else:
        written = ledger.apply(patch.hunks, tree, turn=_SESSION, label="spark patch")
        report["paths"], report["merged"] = list(written.paths), list(written.merged)
        report["applied"], report["checkpoint"] = True, written.checkpoint
    if not args.json:
        _say(patch.hunks, report["paths"], args.check)
        for broken in report["breaks"]:
            print(visible(broken), file=sys.stderr)
    return ExitCode.DONE


def _texts(name: str) -> Iterator[str]:
    """The text in pieces; bytes that are no UTF-8 survive as surrogates."""
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            while data := file.read(_READ_AT_ONCE):
                yield decode(data)
        yield decode(b"", True)
    except OSError as error:
        hint = "Name a text file, or - for standard input."
        raise UsageError(f"cannot read the text: {error.strerror}", where=name, hint=hint) from error


def _say(hunks: Sequence[Hunk], written: Sequence[str], check: bool) -> None:
    moves = {hunk.path: hunk.new_path for hunk in hunks if hunk.kind == "move"}
    goals = set(moves.values())
    by_path: dict[str, list[Hunk]] = {}
    for hunk in hunks:
        by_path.setdefault(hunk.path, []).append(hunk)
    for path in written:
        mine = by_path.get(path, [])
        if path in goals and not mine:
            # It is told with the file that it was.
            continue
        kinds = {hunk.kind for hunk in mine}
        verb = (
            "move"
            if path in moves
            else "add"
            if kinds == {"add"}
            else "delete"
            if kinds == {"delete"}
            else "change"
        )
        added = sum(len(hunk.new_lines) for hunk in mine)
        removed = sum(len(hunk.old_lines) for hunk in mine)
        done = f"would {verb}" if check else f"{verb.removesuffix('e')}ed"
        goal = f" to {_shown(moves[path])}" if path in moves else ""
        print(f"{done} {_shown(path)}{goal} (+{added} -{removed})")


def _shown(path: str) -> str:
    """A name without terminal control sequences."""
    return "".join(ch if ch.isprintable() else ascii(ch)[1:-1] for ch in path)
