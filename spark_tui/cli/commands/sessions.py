"""`spark sessions`: list, search, show, resume, rename, fork, export, delete and prune what this repository's
sessions left.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from spark_tui import events
from spark_tui.backends import recording
from spark_tui.cli import flags
from spark_tui.cli.output import (
    become_workbench,
    confirm,
    on_terminal,
    print_error,
    told,
    write_exactly,
    write_new_file,
)
from spark_tui.config import paths
from spark_tui.errors import NoPlace, NothingToDo, Refused, UsageError, visible
from spark_tui.session.session import new_id
from spark_tui.session.session_opener import root_of
from spark_tui.session.storage import archive
from spark_tui.session.storage.session_index import SessionIndex, SessionRow

_FORMS = ("markdown", "json", "recording")
_LASTING = "deleting cannot be undone"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    listing = verbs.add_parser("list", help="list the sessions, newest first (the default)")
    search = verbs.add_parser(
        "search", help="find sessions by words in their names, prompts, answers or paths"
    )
    search.add_argument("words", nargs="+")
    show = verbs.add_parser("show", help="print a session as text")
    rename = verbs.add_parser("rename", help="give a session a name")
    fork = verbs.add_parser("fork", help="copy a session to a new one")
    export = verbs.add_parser("export", help="write a session to a file")
    delete = verbs.add_parser("delete", help="delete a session permanently")
    resume = verbs.add_parser("resume", help="open the workbench on a session")
    prune = verbs.add_parser(
        "prune", help="permanently delete the oldest until the limits hold; named sessions stay"
    )
    for verb in (show, resume, rename, fork, export, delete):
        verb.add_argument(
            "session", help="its id (or the start of it), its name, the id of one of its turns, or `last`"
        )
    rename.add_argument("name")
    export.add_argument("--as", dest="form", choices=_FORMS, default="markdown", help="default: markdown")
    export.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    export.add_argument("--force", action="store_true", help="overwrite an existing file")
    prune.add_argument(
        "--max-age", type=flags.age, metavar="AGE", help="delete those not changed for this long, such as 90d"
    )
    prune.add_argument("--max-count", type=flags.whole_number(), metavar="N", help="keep at most N")
    for verb in (delete, prune):
        verb.add_argument("--yes", action="store_true", help="do not ask")
    every = (listing, search, show, resume, rename, fork, export, delete, prune)
    flags.add_to_verbs(parser, every, as_json=(listing, search))


def run(args: argparse.Namespace) -> int:
    root = root_of(flags.directory(args))
    with SessionIndex(paths.repository_state_dir(root)) as store:
        store.refresh()
        verb = args.verb or "list"
        if verb in ("list", "search"):
            rows = store.sessions(" ".join(getattr(args, "words", ())))
            if not rows and verb == "search":
                raise NothingToDo("no session of this repository has these words")
            return _list(rows, as_json=args.json)
        if verb == "prune":
            return _prune(store, args)
        session_id = store.find(args.session)
        if verb == "show":
            title = _title(store, session_id)
            write_exactly(archive.as_markdown(title, archive.turns_of(store.folder(session_id))))
        elif verb == "resume":
            if not on_terminal():
                hint = f"A stopped turn goes on without one: spark exec --resume {session_id}"
                raise NoPlace("the workbench needs a terminal", hint=hint)
            become_workbench(root, session_id)
        elif verb == "export":
            _export(store, session_id, args)
        elif verb == "rename":
            store.rename(session_id, _name(args.name))
        elif verb == "fork":
            print(store.fork(session_id, new_id()).name)
        else:
            if not args.yes:
                title = _title(store, session_id)
                confirm(f"Permanently delete {title}?", _LASTING, "nothing was deleted")
            store.delete(session_id)
    return 0


def _list(rows: Sequence[SessionRow], *, as_json: bool) -> int:
    if not rows:
        print_error('spark: this repository has no sessions\n  Start one: spark, or spark exec "…"')
    for row in rows:
        if as_json:
            print(json.dumps(asdict(row)))
            continue
        when = datetime.fromtimestamp(row.changed).strftime("%Y-%m-%d %H:%M")
        counts = f"{row.turns} turn{'s' if row.turns != 1 else ''}, {row.applied}/{row.hunks} hunks written"
        note = " (damaged)" if row.damaged else ""
        print(f"{row.id}  {when}  {counts}{note}  {visible(row.title)}")
    return 0


def _title(store: SessionIndex, session_id: str) -> str:
    (row,) = (row for row in store.sessions() if row.id == session_id)
    return row.name or row.id


def _export(store: SessionIndex, session_id: str, args: argparse.Namespace) -> None:
    turns = archive.turns_of(store.folder(session_id))
    if args.form == "json":
        text = json.dumps(archive.as_json(session_id, turns), indent=1) + "\n"
    elif args.form == "markdown":
        text = archive.as_markdown(_title(store, session_id), turns)
    else:
        answered = [turn for turn in turns if any(isinstance(e.event, events.Token) for e in turn.entries)]
        named = [turn for turn in answered if turn.turn_id == args.session] or answered[-1:]
        if not named:
            raise NothingToDo("no turn of this session has an answer to record")
        text = recording.dump(archive.as_recording(named[0], name=named[0].turn_id))
    if not args.output:
        write_exactly(text)
        return
    write_new_file(Path(args.output), text, force=args.force)


def _prune(store: SessionIndex, args: argparse.Namespace) -> int:
    if args.max_age is None and args.max_count is None:
        raise UsageError("prune needs a limit", hint="--max-age 90d or --max-count 200")
    rows = store.sessions()
    oldest = time.time() - args.max_age if args.max_age is not None else 0.0
    kept = rows[: args.max_count]
    gone = [row for row in rows if not row.name and (row not in kept or row.changed < oldest)]
    if not gone:
        raise NothingToDo("every session is within the limits or has a name")
    many = "1 session" if len(gone) == 1 else f"{len(gone)} sessions"
    if not args.yes:
        question = f"Permanently delete {many}, {gone[-1].id} to {gone[0].id}?"
        confirm(question, _LASTING, "nothing was deleted")
    deleted = 0
    for row in gone:
        with contextlib.suppress(Refused):  # it is open in a spark
            store.delete(row.id)
            deleted += 1
    what = f"{deleted} of {len(rows)} sessions deleted"
    with told(what):
        print(what)
    return 0


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise UsageError("a name needs at least one letter")
    if name == "last":
        raise UsageError("`last` names the newest session", hint="Choose another name.")
    return name
