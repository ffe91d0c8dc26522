"""`spark`: opens the workbench on a terminal.

Textual is imported only once it is certain that there is a terminal to draw on, and after `ESCDELAY` is
set, which Textual reads while it is imported.
"""

from __future__ import annotations

import argparse
import codecs
import gc
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.cli import flags
from spark_tui.config import paths
from spark_tui.errors import SIGNALLED, NoPlace, SparkError, UsageError
from spark_tui.tui.garbage_collection import resume_collection

if TYPE_CHECKING:
    from spark_tui.config.settings import LoadedSettings
    from spark_tui.events import Event
    from spark_tui.session.session import Session

SMALLEST = (40, 12)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        default="",
        help="a file to open, FILE or FILE:LINE, or the folder to work in",
    )
    flags.add_place(parser)
    parser.add_argument(
        "--session", metavar="NAME", default="", help="open a session by its name or id, or `last`"
    )
    parser.add_argument(
        "--demo", action="store_true", help="work in a scratch copy of the example repository"
    )
    add = parser.add_argument_group("the screen").add_argument
    add("--theme", dest="ui.theme", metavar="NAME", help="a built-in theme or one of your own")
    add(
        "--no-mouse",
        dest="ui.mouse",
        action="store_const",
        const=False,
        help="leave the mouse to the terminal",
    )
    add("--screen-reader", action="store_true", help="print plain lines in order instead of drawing a screen")
    flags.add_backend(parser)


def run(args: argparse.Namespace) -> int:
    if not args.screen_reader:
        check_terminal()
    directory, shown = _opened(args)
    shared_root = None if args.demo else paths.checkout_around(directory)
    loaded = flags.load(args, shared_root)
    tour = args.demo and not args.session and not loaded.settings.replay and carries_a_model()
    if args.screen_reader:
        from spark_tui.tui.screen_reader.loop import run_screen_reader
        from spark_tui.tui.settings.live_settings import LiveSettings

        preferences = LiveSettings(loaded, lambda: flags.load(args, shared_root), shared_root)
        opening = SessionOpening(directory, loaded, args.demo, args.session)
        session = opening.open()
        code = run_screen_reader(session, sys.stdin, sys.stdout, preferences, shown[0], opening.past())
        _say_what_waits(args, opening, loaded, directory)
        return code
    gc.disable()  # until everything is loaded
    with escape_delay(loaded.settings.escdelay_ms):
        from spark_tui.tui.app import SparkApp
        from spark_tui.tui.settings.startup import Reopen, Startup
    # Exported by some shells and never up to date: with them the screen would keep that size for ever.
    for variable in ("COLUMNS", "LINES"):
        os.environ.pop(variable, None)
    opening = SessionOpening(directory, loaded, args.demo, args.session)
    while True:
        start = Startup(
            opening.directory,
            opening.loaded.settings,
            opening.open,
            loaded.origin,
            tour and opening.is_first_demo,
            opening.past,
            load=lambda: flags.load(args, shared_root),
            shared_root=shared_root,
            shown=shown,
        )
        app = SparkApp(start)
        result = app.run(mouse=loaded.settings.mouse)
        if not isinstance(result, Reopen):
            break
        opening, shown = opening.another(result.session_id), ("", 0)
    if isinstance(result, SparkError):
        raise result
    kept = app.workbench.kept_session if app.workbench else ""
    if app.return_code == SIGNALLED + signal.SIGHUP:
        opening.leave_word(kept)
    _say_what_waits(args, opening, loaded, directory, kept)
    return result if result is not None else app.return_code or 0


def _say_what_waits(
    args: argparse.Namespace, opening: SessionOpening, loaded: LoadedSettings, directory: Path, kept: str = ""
) -> None:
    """How to go on: with the copy of the demo, the hunks that are not written, or what was typed."""
    root = (opening.root or directory) if args.demo else directory
    reader = " --screen-reader" if args.screen_reader else ""
    place = reader if root.resolve() == Path.cwd() else f" -C {shlex.quote(str(root))}{reader}"
    if args.demo and (copy := opening.root):
        source = f" --model {loaded.settings.model}" if loaded.settings.model else ""
        source = source or ("" if carries_a_model() else f" --replay {paths.recordings_dir()}")
        session = f" --session {opening.session_id}" if opening.waiting else ""
        print(f"The copy is kept. To open it again: spark -C {copy}{source}{session}{reader}")
    elif waiting := opening.waiting:
        hunks = "1 hunk is" if waiting == 1 else f"{waiting} hunks are"
        print(f"{hunks} not written yet. To go on: spark{place} --session {opening.session_id}")
    if kept:
        print(f"What you typed is kept and not saved. To review it: spark{place} --session {kept}")


def _opened(args: argparse.Namespace) -> tuple[Path, tuple[str, int]]:
    """The folder to work in, and the file to show with its line."""
    directory = flags.directory(args)
    if not args.path:
        return directory, ("", 0)
    if args.demo:
        raise UsageError("the demo opens a copy of its own", where=args.path, hint="Leave out the path.")
    from spark_tui.cli import opened_path
    from spark_tui.session.session_opener import root_of

    found = opened_path.read(args.path, directory)
    if found is None:
        flags.named_file(root_of(directory), directory, args.path)  # says why it cannot be opened
        raise UsageError("is neither a file nor a folder", where=args.path, hint="Check the path.")
    if not found.file:
        return found.folder, ("", 0)
    file, root = (found.folder / found.file).absolute(), root_of(directory)
    own = root_of(file.parent)
    in_another = own.resolve() != root.resolve() and (own / ".git").exists()
    if in_another or not file.resolve().is_relative_to(root.resolve()):
        # As if spark had been started beside it.
        directory, root = file.parent, own
    return directory, (flags.named_file(root, directory, file.as_posix()), found.line)


class SessionOpening:
    """Opens the session and reads its history. The imports wait until the first frame is on the screen."""

    def __init__(
        self, directory: Path, loaded: LoadedSettings, demo: bool, name: str, *, again: bool = False
    ) -> None:
        """`name`: that of a kept session; without it a new one begins. `again`: it is not the first one."""
        self.directory = directory
        self.loaded, self._demo, self._name, self._again = loaded, demo, name, again
        self._session: Session | None = None

    @property
    def is_first_demo(self) -> bool:
        return self._demo and not (self._name or self._again)

    @property
    def root(self) -> Path | None:
        """Where the session works, once it is open."""
        return self._session.root if self._session else None

    @property
    def waiting(self) -> int:
        """How many hunks are undecided, or accepted and not written."""
        decisions = self._session.decisions if self._session else None
        return len(decisions.review.undecided()) + len(decisions.review.accepted()) if decisions else 0

    @property
    def session_id(self) -> str:
        return self._session.id if self._session else ""

    def leave_word(self, kept: str) -> None:
        """Have the next start say what waits, as after a kill: on a terminal that is gone nobody reads it."""
        from spark_tui.session.storage.session_journal import OPEN

        if self._session is not None:
            with suppress(OSError):
                for name in filter(None, (kept, self.session_id if self.waiting else "")):
                    (self._session.folder.parent / name / OPEN).touch()

    def open(self) -> Session:
        from spark_tui.session.session_opener import find_session, open_session

        kept = find_session(self.directory, self._name) if self._name else ""
        self._session = open_session(self.directory, self.loaded, demo=self.is_first_demo, session_id=kept)
        resume_collection()
        return self._session

    def past(self) -> list[Event]:
        """The events of a kept session; none of a new one."""
        if self._session is None or not self._name:
            return []
        from spark_tui.events import Prose
        from spark_tui.session.storage import archive

        turns = archive.turns_of(self._session.folder)
        lost = [Prose(f"{self._session.lost}\n")] if self._session.lost else []
        return [*(entry.event for turn in turns for entry in turn.entries), *lost]

    def another(self, session_id: str) -> SessionOpening:
        """The same place with another session, a new one without an id; of a demo, its copy."""
        root, loaded = self._session.root if self._session else self.directory, self.loaded
        if self._session and not self._demo:  # with the model that was switched to
            loaded = replace(loaded, settings=self._session.settings)
        if self._demo and not (loaded.settings.model or loaded.settings.replay or carries_a_model()):
            # What the demo plays, without another copy of its repository.
            loaded = replace(loaded, settings=replace(loaded.settings, replay=str(paths.recordings_dir())))
        return SessionOpening(root, loaded, self._demo, session_id, again=True)


def carries_a_model() -> bool:
    return any(paths.models_dir().glob("*/config.json"))


def check_terminal() -> None:
    """Refuse where a screen cannot be drawn, with what to do instead."""
    other = "`spark exec` needs no terminal; `spark --screen-reader` prints plain lines."
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoPlace("the workbench needs a terminal", hint=other)
    if not sys.stderr.isatty():
        # Textual draws there: elsewhere the screen would stay black and take keys all the same.
        raise NoPlace(
            "the workbench draws on standard error, which is redirected",
            hint=f"Remove the `2>` redirection. {other}",
        )
    term = os.environ.get("TERM", "")
    if term in ("", "dumb"):
        raise NoPlace(f"the terminal cannot draw (TERM is {term or 'not set'})", hint=f"Set TERM. {other}")
    encoding = codecs.lookup(sys.stderr.encoding).name
    if encoding != "utf-8":
        raise NoPlace(
            f"the workbench draws in UTF-8, and the locale is {encoding}", hint=f"Set LC_ALL=C.UTF-8. {other}"
        )
    size = os.get_terminal_size(sys.stdout.fileno())
    if size.columns < SMALLEST[0] or size.lines < SMALLEST[1]:
        raise NoPlace(
            f"the terminal is too small: {size.columns}×{size.lines}",
            hint=f"Make it at least {SMALLEST[0]}×{SMALLEST[1]}. {other}",
        )


@contextmanager
def escape_delay(milliseconds: int) -> Iterator[None]:
    """`ESCDELAY` for the import of Textual only: what is started later does not inherit it."""
    before = os.environ.get("ESCDELAY")
    os.environ["ESCDELAY"] = str(milliseconds)
    try:
        yield
    finally:
        if before is None:
            del os.environ["ESCDELAY"]
        else:
            os.environ["ESCDELAY"] = before
