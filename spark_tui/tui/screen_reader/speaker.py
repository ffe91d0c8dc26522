"""`spark --screen-reader`: lines in order, each spoken once and never redrawn. The keys of the workbench are
words here: `accept 2`, `next`, `write`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from itertools import takewhile
from typing import TYPE_CHECKING, TextIO

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError, UsageError
from spark_tui.tui.code.hunk_view import DOUBT_MARK, OPEN, WORDS, HunkView, left_out
from spark_tui.tui.screen_reader import commands, edits
from spark_tui.tui.screen_reader.questions import SpokenQuestions
from spark_tui.tui.settings.live_settings import LiveSettings
from spark_tui.tui.text.error_hints import SPOKEN, reworded
from spark_tui.tui.text.safe_text import one_line, visible
from spark_tui.tui.turns.replay import bring_back, replay
from spark_tui.tui.turns.session_access import one_line_error
from spark_tui.tui.turns.state import TurnState

if TYPE_CHECKING:
    from spark_tui.session.session import Session

_FILES = files("spark_tui.tui.screen_reader")


class LineSpeaker:
    """One session, spoken."""

    def __init__(
        self,
        session: Session,
        out: TextIO,
        preferences: LiveSettings | None = None,
        in_view: str = "",
        past: Sequence[events.Event] = (),
    ) -> None:
        self._session = session
        self._in_view = in_view
        self._out = out
        self._turn_state = TurnState()
        if past:
            replay(self._turn_state, session.decisions.review, past)
        self._current = 0
        self._prose = ""
        self._left_out: set[int] = set()
        """The marked hunks that the last `accept all` found: it says so, and the next one accepts them."""
        self._broken: events.Doubt | None = None
        """What the last `write` would have broken: it says so, and the next one writes."""
        self._first_line = 0
        """How many lines the turn state had before the event."""
        self._stop = threading.Event()
        self._running = False
        self._steers: list[str] = []
        self._questions = session.tools.permissions.ask = SpokenQuestions(self._say)
        self._words: dict[str, Callable[[str], None]] = {
            "help": lambda _: self._say(_FILES.joinpath("help.txt").read_text("utf-8")),
            "list": self._list,
            "show": self._show,
            "next": lambda _: self._step(1),
            "previous": lambda _: self._step(-1),
            "accept": lambda which: self._decide(which, accept=True),
            "keep": self._keep,
            "reject": lambda which: self._decide(which, accept=False),
            "reopen": self._reopen,
            "diff": lambda _: self._say(self._session.decisions.patch() or "No hunk is accepted."),
            "write": self._write,
            "undo": lambda _: self._take(self._session.changes.undo()),
            "redo": lambda _: self._take(self._session.changes.redo()),
            "commit": lambda _: self._say(f"Committed {self._session.changes.commit(says=self._say)}."),
            "stop": lambda _: self._say("Nothing is running."),
            "resume": lambda _: self._leg(lambda stop: self._session.turns.resume(stop=stop)),
            "retry": lambda _: self._leg(lambda stop: self._session.turns.retry(stop=stop)),
        }
        edit_words = edits.EditCommands(session, self._say, self._leg, lambda: self._turn_state.choices)
        self._about: dict[str, Callable[[str], None]] = dict(edit_words.words)
        """Commands that take any text as argument."""
        if preferences is not None:
            self._about |= commands.ModelCommands(session, self._say, preferences).words

    def run(self, lines: Iterator[str]) -> int:
        """Until `quit` or the end of the input."""
        self._say(
            f"spark in {self._session.root.name}, {self._session.backend.name}. Say help for the commands."
        )
        if hunks := self._turn_state.in_view():
            count, still_open = len(hunks), len(self._turn_state.open_hunks())
            self._say(f"{count} hunk{'s' if count > 1 else ''}, {still_open} to decide. Say list for them.")
        for line in lines:
            text = line.strip()
            word, _, rest = text.partition(" ")
            if text in ("quit", "exit"):
                break
            try:
                if word in self._words and (not rest or rest == "all" or rest.isdigit()):
                    self._words[word](rest)
                elif word in self._about:
                    self._about[word](rest.strip())
                elif word[:1] == "/" and word[1:].replace(".", "").isalpha() and len(rest.split()) < 2:
                    raise UsageError(f"there is no command {word}", hint="Say help for the commands.")
                elif text.startswith(":"):
                    self._turn(text[1:].strip())
                elif text and self._turn_state.is_about_the_turn(text):
                    self._leg(_steering(self._session, text))
                elif text:
                    self._turn(text)
            except SparkError as error:
                where = f"{error.where}: " if error.where else ""
                self._say(f"Error: {where}{error.what}. {reworded(error.hint, SPOKEN)}")
        return 0

    def stop(self) -> bool:
        """Whether a turn ran that had not been stopped yet."""
        if not self._running or self._stop.is_set():
            return False
        self._stop.set()
        return True

    def handle(self, line: str) -> bool:
        """Handle a line typed while the model writes: `stop` stops, and any line that is not a command
        steers. Returns whether it was used."""
        text = line.strip()
        if not self._running or not text:
            return False
        if text == "stop":
            return self.stop()
        if self._questions.hear(text):
            return True
        if text.partition(" ")[0] in (*self._words, *self._about) or text in ("quit", "exit"):
            return False
        self._steers.append(text.removeprefix(":").strip())
        self._stop.set()
        return True

    def _say(self, text: str) -> None:
        for line in text.rstrip("\n").split("\n"):
            self._out.write(visible(line).rstrip() + "\n")
        self._out.flush()

    # Turns

    def _turn(self, text: str) -> None:
        self._leg(lambda stop: self._session.turns.start(ContextRequest(text, self._in_view), stop=stop))

    def _leg(self, leg: Callable[[threading.Event], Iterator[events.Event]]) -> None:
        """Run a leg until the model ends, with the steers that arrive during it."""
        while True:
            self._stop = threading.Event()
            self._running = True
            self._say("Working.")
            try:
                for event in leg(self._stop):
                    self._first_line = len(self._turn_state.lines)
                    self._turn_state.apply([event])
                    self._speak_event(event)
            finally:
                self._running = False
            self._flush_prose()
            if not self._steers:
                self._check()
                return
            steers, self._steers = "\n".join(self._steers), []
            leg = _steering(self._session, steers)

    def _check(self) -> None:
        """Say what the hunks would break."""
        first = len(self._turn_state.lines)
        self._turn_state.apply(self._session.check_answer(stop=self._stop))
        for line in self._turn_state.lines[first:]:
            text = line.text.removeprefix(f"{DOUBT_MARK} ")
            self._say(text[:1].upper() + text[1:] + ".")

    def _speak_event(self, event: events.Event) -> None:
        match event:
            case events.Prose(text):
                self._prose += text
                while "\n" in self._prose:
                    line, _, self._prose = self._prose.partition("\n")
                    if line.strip():
                        from spark_tui.session.reader.no_hunk_reason import without_screen

                        self._say(without_screen(line))
            case events.Retrying(seconds, reason):
                self._say(f"{reason}. Asking again in {seconds:.0f} s.")
            case events.ToolFinished():
                self._flush_prose()
                self._say(self._turn_state.lines[-1].text)
            case events.HunkClosed(hunk_id):
                self._flush_prose()
                if hunk_id in {hunk.id for hunk in self._turn_state.in_view()}:
                    self._say(self._title(self._turn_state.hunks[hunk_id]))
            case events.Choices(titles):
                self._flush_prose()
                which = "Other" if self._turn_state.open_hunks() else "Several"
                self._say("Not done yet." if event.is_rest else f"{which} edits may be meant.")
                for number, title in enumerate(titles, 1):
                    self._say(f"{number}: {title}.")
                self._say("Say /take and a number.")
            case events.Steered(message):
                self._say(f"Steered: {message}")
            case events.Interrupted() if self._steers:
                pass
            case events.HunkFailed(hunk_id, code=0):
                self._say(self._title(self._turn_state.hunks[hunk_id]))
            case events.Failed():
                self._flush_prose()
                self._say(one_line_error(event, SPOKEN))
            case events.HunkFailed() | events.Interrupted():
                self._flush_prose()
                self._say(self._turn_state.lines[-1].text)
            case events.Finished(reason) if not self._steers:
                self._flush_prose()
                if reason not in ("interrupted", "choices"):
                    fresh = self._turn_state.lines[self._first_line :]
                    for note in takewhile(lambda line: line.speaker == "note", fresh):
                        self._say(note.text[:1].upper() + note.text[1:] + ".")
                still_open = len(self._turn_state.open_hunks())
                if reason != "choices" or still_open:
                    self._say(f"Done. {still_open} to decide." if still_open else "Done. No hunk to decide.")

    def _flush_prose(self) -> None:
        if self._prose.strip():
            self._say(self._prose)
        self._prose = ""

    # Hunks

    def _title(self, hunk: HunkView) -> str:
        if hunk.state == "left":
            return f"Place {hunk.id}, {one_line(hunk.path)} line {hunk.start}, {one_line(hunk.note)}."
        removed = f"{hunk.removed} lines become" if hunk.removed != 1 else "1 line becomes"
        new = f"{hunk.added} new line{'s' if hunk.added != 1 else ''}"
        what = f"{removed} {hunk.added}" if hunk.removed else new
        doubt = ", the model is unsure" if hunk.doubt is not None else ""
        doubt = f", {one_line(hunk.why_doubted)}" if hunk.why_doubted else doubt
        return f"Hunk {hunk.id}, {one_line(hunk.path)} line {hunk.start}, {what}, {WORDS[hunk.state]}{doubt}."

    def _find(self, which: str) -> HunkView:
        hunk = None if which == "all" else self._turn_state.hunks.get(int(which) if which else self._current)
        if hunk is None:
            hunks = self._turn_state.in_view()
            if not which and len(hunks) == 1:
                return hunks[0]
            known = ", ".join(str(h.id) for h in hunks)
            if not known:
                raise SparkError("there are no hunks yet", hint="Say what to change.")
            what = f"there is no hunk {which}" if which.isdigit() else "say which hunk, by its number"
            raise SparkError(what, hint=f"The hunks are: {known}.")
        return hunk

    def _list(self, _: str) -> None:
        for hunk in self._turn_state.in_view():
            self._say(self._title(hunk))
        if not self._turn_state.in_view():
            self._say("No hunks.")

    def _show(self, which: str) -> None:
        hunk = self._find(which)
        self._current = hunk.id
        self._say(self._title(hunk))
        for line in hunk.old:
            self._say(f"minus {line}")
        for line in hunk.new:
            self._say(f"plus {line}")

    def _step(self, by: int) -> None:
        ids = [hunk.id for hunk in self._turn_state.in_view()]
        if not ids:
            self._say("No hunks.")
            return
        at = ids.index(self._current) + by if self._current in ids else (0 if by > 0 else -1)
        self._show(str(ids[at % len(ids)]))

    def _decide(self, which: str, *, accept: bool) -> None:
        hunks = self._turn_state.in_view() if which == "all" else [self._find(which)]
        doubtful = {hunk.id for hunk in hunks if hunk.mark == DOUBT_MARK}
        marked = doubtful if accept and which == "all" else set()
        marked, self._left_out = marked - self._left_out, marked
        for hunk in hunks:
            if hunk.id in marked:
                continue
            other = ("rejected",) if accept else ("accepted", "edited")
            if hunk.state not in OPEN and (which == "all" or hunk.state not in other):
                if which != "all":
                    self._say(self._title(hunk))
                continue
            self._current = hunk.id
            if accept and hunk.state == "partial":
                self._say(f"Hunk {hunk.id} is partial: it {hunk.outcome}")
                self._say(f"Say resume, reject {hunk.id}, or keep {hunk.id} to accept it as it is.")
            elif accept:
                self._take_decision(hunk, "accepted")
            else:
                self._take_decision(hunk, "dropped" if hunk.state == "partial" else "rejected")
        if marked:
            them = "them" if len(marked) > 1 else "it"
            self._say(f"{left_out(len(marked))}. Say accept all again to accept {them} too.")

    def _keep(self, which: str) -> None:
        hunk = self._find(which)
        if hunk.state == "partial":
            self._take_decision(hunk, "kept", "accepted")
        else:
            self._say(self._title(hunk))

    def _write(self, _: str) -> None:
        broken, before = self._session.breaks_of_write(), self._broken
        self._broken = broken
        if broken is None or broken == before:
            self._take(self._session.changes.write())
            return
        self._say(f"Hunk {broken.hunk_id} without the rest of its edit {one_line(broken.reason)}.")
        self._say("Say write again to write it.")

    def _reopen(self, which: str) -> None:
        hunk = self._find(which)
        if hunk.state == "written":
            self._take(self._session.changes.undo_hunk(hunk.id))
        else:
            self._take_decision(hunk, "open")

    def _take_decision(self, hunk: HunkView, *steps: events.Decision) -> None:
        for step in steps:
            others = self._session.decisions.decide(hunk.id, step)
            self._turn_state.decide(hunk.id, step)
            bring_back(self._turn_state, self._session.decisions.review, (one.hunk_id for one in others))
            self._turn_state.apply(others)
        for one in [hunk.id, *(other.hunk_id for other in others)]:
            if (view := self._turn_state.hunks.get(one)) is not None:
                self._say(self._title(view))

    def _take(self, event: events.Applied | events.Undone) -> None:
        first = len(self._turn_state.lines)
        self._turn_state.apply([event])
        for line in self._turn_state.lines[first:]:
            self._say(line.text)


def _steering(session: Session, text: str) -> Callable[[threading.Event], Iterator[events.Event]]:
    return lambda stop: session.turns.steer(text, stop=stop)
