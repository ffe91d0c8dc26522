"""`spark record`: save a turn of this repository as a recording for `--replay`."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

from spark_tui.backends import recording
from spark_tui.cli import flags
from spark_tui.cli.output import write_new_file
from spark_tui.config import paths
from spark_tui.errors import NothingToDo
from spark_tui.session.session_opener import root_of
from spark_tui.session.storage import archive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("turn", nargs="?", default="", help="id of the turn (default: the newest that can be recorded)")
    add("-o", "--output", metavar="FILE", help="where to write it (default: standard output)")
    add("--name", default="", help="name of the recording (default: the id of the turn)")
    add("--list", action="store_true", help="list the turns that can be recorded")
    add("--force", action="store_true", help="overwrite an existing file")
    flags.add_place(parser)


def run(args: argparse.Namespace) -> int:
    state = paths.repository_state_dir(root_of(flags.directory(args)))
    if args.list:
        return _list(state)
    turn = archive.find_turn(state, args.turn)
    text = recording.dump(archive.as_recording(turn, name=args.name or turn.turn_id))
    if not args.output:
        sys.stdout.write(text)
        return 0
    target = Path(args.output)
    write_new_file(target, text, force=args.force)
    print(f"saved {target}; to play it: spark --replay {target}", file=sys.stderr)
    return 0


def _list(state: Path) -> int:
    turns = list(archive.recordable_turns(state))
    if not turns:
        raise NothingToDo("no turn of this repository can be recorded", hint='Start one: spark exec "…"')
    for turn in turns:
        when = datetime.fromtimestamp(turn.entries[0].at).strftime("%Y-%m-%d %H:%M")
        print(f"{turn.turn_id}  {when}  {turn.started.prompt}")
    return 0
