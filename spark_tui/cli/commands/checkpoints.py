"""`spark checkpoints`: list, show, restore and prune the states saved before each change."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spark_tui.cli import flags
from spark_tui.cli.output import print_error, told
from spark_tui.config import paths
from spark_tui.errors import NothingToDo, UsageError, visible
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.checkpoints import Checkpoint, PruneBounds, by_age, contents, get, prune
from spark_tui.workspace.files import FileText
from spark_tui.workspace.repository import find_repository

_NAMED = "the checkpoint as `list` shows it, or `last` for the newest"
_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="VERB")
    parser.set_defaults(action="list", session="")
    listing = actions.add_parser("list", help="list the checkpoints, newest first (the default)")
    listing.add_argument("--session", metavar="NAME", default="", help="only this session's")
    show = actions.add_parser("show", help="show a change as a diff")
    show.add_argument("id", metavar="SESSION/NUMBER", help=_NAMED)
    restore = actions.add_parser(
        "restore", help="restore files to their state before a change; later edits stay"
    )
    restore.add_argument("id", metavar="SESSION/NUMBER", help=_NAMED)
    pruning = actions.add_parser("prune", help="delete the oldest checkpoints until the limits hold")
    pruning.add_argument(
        "--max-age", type=flags.age, metavar="AGE", help="delete those older than this, such as 30d or 12h"
    )
    pruning.add_argument("--max-count", type=flags.whole_number(), metavar="N", help="keep at most N")
    pruning.add_argument(
        "--max-bytes", type=_bytes, metavar="SIZE", help="keep at most this size, such as 200M"
    )
    every = (listing, show, restore, pruning)
    flags.add_to_verbs(parser, every, as_json=every, json_help="print JSON")


def _bytes(text: str) -> int:
    unit = text[-1:].lower() if not text[-1:].isdigit() else ""
    number = text[: len(text) - len(unit)]
    if unit in _UNITS and number.isdigit():
        return int(number) * _UNITS[unit]
    raise argparse.ArgumentTypeError(f"not a size: {text!r} (use 500k or 200M)")


def run(args: argparse.Namespace) -> int:
    folder = flags.directory(args)
    repo = find_repository(folder)
    root = folder if repo is None else repo.root
    ledger = _writer(root, "checkpoints")
    ledger.recover()
    if args.action == "list":
        return _list(ledger, args)
    if args.action == "show":
        return _show(ledger, args)
    return _restore(ledger, args) if args.action == "restore" else _prune(ledger, args)


def _writer(root: Path, session: str) -> TreeWriter:
    """Without a limit of size: what was written can be undone."""
    return TreeWriter(root, paths.repository_state_dir(root), session, most_bytes=sys.maxsize)


def _list(ledger: TreeWriter, args: argparse.Namespace) -> int:
    found = _newest_first(ledger, args.session)
    if args.json:
        print(json.dumps([_plain(item) for item in found]))
        return 0
    if not found:
        of = f"session {args.session!r} has no checkpoints" if args.session else "no checkpoints yet"
        print_error(f"spark: {of}: each write makes one")
    for one in found:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.note.at))
        names = ", ".join(visible(path) for path in one.paths[:3]) + (", …" if len(one.paths) > 3 else "")
        label = visible(" ".join(one.note.label.split())) or "-"
        print(f"{one.id}  {when}  {one.note.kind:8}  {label}  ({names})")
    return 0


def _newest_first(ledger: TreeWriter, session: str = "") -> list[Checkpoint]:
    return by_age(ledger.store.list(session))[::-1]


def _named(ledger: TreeWriter, name: str) -> Checkpoint:
    """The checkpoint of a name, or the newest one."""
    found = _newest_first(ledger) if name == "last" else []
    return found[0] if found else get(ledger.store, name)


def _plain(checkpoint: Checkpoint) -> dict[str, Any]:
    note = checkpoint.note
    return {
        "id": checkpoint.id,
        "kind": note.kind,
        "turn": note.turn,
        "label": note.label,
        "at": note.at,
        "paths": [note.folder + path for path in checkpoint.paths],
    }


def _show(ledger: TreeWriter, args: argparse.Namespace) -> int:
    one = _named(ledger, args.id)
    old, new = contents(ledger.store, one.files, "before"), contents(ledger.store, one.files, "after")
    diffs = {path: _diff(path, old[path].data, new[path].data) for path in old}
    if args.json:
        print(json.dumps({**_plain(one), "diffs": diffs}))
        return 0
    for lines in diffs.values():
        print(lines, end="")
    return 0


def _diff(path: str, *sides: bytes | None) -> str:
    """For reading. It is not meant to be applied: control characters are shown as marks."""
    old, new = (FileText(path, data or b"").lines for data in sides)
    names = [
        f"{mark}/{path}" if data is not None else "/dev/null" for mark, data in zip("ab", sides, strict=True)
    ]
    shown = [[visible(line) for line in lines] for lines in (old, new)]
    rows = difflib.unified_diff(shown[0], shown[1], names[0], names[1], lineterm="")
    return "".join(row + "\n" for row in rows)


def _restore(ledger: TreeWriter, args: argparse.Namespace) -> int:
    one = _named(ledger, args.id)
    if one.note.folder:
        ledger = _writer(ledger.root / one.note.folder, one.session)
    written = ledger.restore(one.id)
    with told("the files are restored"):
        if args.json:
            print(json.dumps({"paths": list(written.paths), "checkpoint": written.checkpoint}))
        else:
            for path in written.paths:
                print(f"restored {visible(path)}")
            print(f"(the previous state is checkpoint {written.checkpoint})")
    return 0


def _prune(ledger: TreeWriter, args: argparse.Namespace) -> int:
    bounds = PruneBounds(args.max_age, args.max_count, args.max_bytes)
    if bounds == PruneBounds():
        raise UsageError("prune needs a limit", hint="--max-age 30d, --max-count 100 or --max-bytes 200M")
    gone: Sequence[Checkpoint] = prune(ledger.store, bounds, time.time())
    if not gone:
        raise NothingToDo("every checkpoint is within the limits")
    which = (
        f"{len(gone)} checkpoints, {gone[0].id} to {gone[-1].id}" if gone[1:] else f"checkpoint {gone[0].id}"
    )
    with told(f"{which}: deleted"):
        print(json.dumps([checkpoint.id for checkpoint in gone]) if args.json else f"deleted {which}")
    return 0
