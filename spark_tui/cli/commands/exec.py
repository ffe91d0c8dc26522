"""`spark exec`: one turn without a screen. Prints a git patch, or every event as a JSON line with
`--json`.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import sys
import threading
from collections.abc import Iterator, Sequence

from spark_tui import events
from spark_tui.cli import flags
from spark_tui.cli.event_messages import doubtful_hunks, failure, misfit, print_event
from spark_tui.cli.event_schema import event_schema
from spark_tui.cli.exec_arguments import add_arguments as add_arguments
from spark_tui.cli.exec_arguments import (
    check_commit,
    check_readable,
    command_to_resume,
    instruction_of,
    names_backend,
)
from spark_tui.cli.output import MessageLines, close_stdout, print_error, write_exactly
from spark_tui.cli.time_limit import stopped_after
from spark_tui.cli.wait_line import WaitLine
from spark_tui.edits.edit_failures import EditFailures
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import ExitCode, SparkError, UsageError
from spark_tui.events import Event
from spark_tui.events.tools import tool_line
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.session.reader.no_hunk_reason import DECLINED, for_command, why_no_hunk
from spark_tui.session.review.hunk_doubts import HunkDoubts
from spark_tui.session.session import Session
from spark_tui.session.session_opener import find_session, open_session, root_of
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.tools.bounded_text import count_of


def run(args: argparse.Namespace) -> int:
    if args.schema:
        print(json.dumps(event_schema(), indent=2))
        return 0
    if args.message is not None and not args.commit:
        raise UsageError("--message needs --commit", hint="Add --commit.")
    if args.message is not None and not args.message.strip():
        raise UsageError("the message is empty", hint="Without --message one is drafted.")
    if args.resume == "":
        # An empty variable of a script, say: another turn is not what was asked for.
        raise UsageError("--resume names no session", hint="`--resume last` resumes the newest.")
    instruction = "" if args.resume and not args.instruction else instruction_of(args.instruction)
    directory = flags.directory(args)
    root = root_of(directory)
    files = [flags.file_to_edit(root, directory, path) for path in args.file]
    if args.commit:
        check_commit(root)
    loaded = flags.load(args, root)
    check_readable(root, files, loaded.settings.max_file_bytes)
    session_id = find_session(directory, args.resume) if args.resume else ""
    writes = args.apply or args.commit
    session = open_session(directory, loaded, session_id=session_id, writes=writes)
    if session.lost:
        print_error(f"spark: {session.lost}")
    try:
        return _Run(session, args, files).turn(instruction)
    finally:
        session.close()


class _Run:
    """One `spark exec`: renders events, keeps count of what decides the exit code."""

    def __init__(self, session: Session, args: argparse.Namespace, files: list[str]) -> None:
        self.session = session
        self.json: bool = args.json
        self.apply: bool = args.apply or args.commit
        self.commit: bool = args.commit
        self.message: str | None = args.message
        self.resumed: bool = bool(args.resume)
        self.again = command_to_resume(args, session.id)
        self.names_backend = names_backend(args)
        self.review = f"spark --session {session.id}"
        self.timeout: float = args.timeout
        self.files = files
        self.choose: int = args.choose
        self.chosen = False
        self.titles: tuple[str, ...] = ()
        """The edits to choose from, if there is a choice."""
        self.stop = threading.Event()
        self.timed_out = False
        self.code = ExitCode.DONE
        self.reason = ""
        self.exact = False
        """Whether no model was asked."""
        self.answer = ""
        """The prose of the answer."""
        self.edited = False
        self.failures = EditFailures()
        self.doubts = HunkDoubts()
        self.messages = MessageLines()
        self.wait = WaitLine(held=lambda: self.messages.open)

    def turn(self, instruction: str) -> int:
        """Until what came of it is delivered: a patch that is being written is whole or not there."""
        # The collector would look at the trees of large files that reader and checks share.
        with stopped_after(self.timeout, self.stop, self._ran_out), no_collection():
            try:
                with self.wait:
                    for event in self._with_checks(self._events(instruction)):
                        self._show(event)
                    ended = self.edited and self.code is ExitCode.DONE
                    if self.choose and not self.chosen and (self.titles or ended):
                        for event in self._with_checks(self._chosen()):
                            self._show(event)
            except BrokenPipeError:
                return self._unread()
            finally:
                self.messages.end_line()
            code = self._came_to()
            gc.freeze()  # the process ends
            return code

    def _came_to(self) -> int:
        if self.code is ExitCode.DONE and self.failures.left:
            self.code = ExitCode(self.failures.left[-1].code)
        # It may be so by an edit that is not written.
        taken_back = self.exact and self.reason == "stop" and not self.edited
        unchanged = self.resumed and (self.reason in ("", "no_edit") or taken_back)
        hunks = self.session.decisions.unwritten(earlier=unchanged)
        if hunks and self.reason == "no_edit":
            self.messages.say("it is so by an edit that is not written yet")
        if self.titles and not hunks:
            self.messages.say("not sure what is meant: take an edit by --choose N, or say it more exactly")
            self.code = ExitCode.MISFIT
        elif self.commit and not (hunks or self.reason) and self.session.changes.uncommitted:
            self._commit()  # a hook refused it
        elif self.code is ExitCode.DONE and not hunks:
            if not (self.answer.strip() and (self.exact or self.reason in DECLINED)):  # that was printed
                self.messages.say(self._why_nothing())
            self.code = ExitCode.MISFIT if self.reason == "cannot" else ExitCode.NOTHING
        if hunks and self.code in (ExitCode.DONE, ExitCode.INTERRUPTED, ExitCode.TIMEOUT):
            self._deliver(hunks)
        elif hunks:
            self._say_kept(hunks)
        source = self.session.decisions.review.source
        if self.code is ExitCode.DONE and any(self.doubts.is_part(source(hunk.id)) for hunk in hunks):
            self.messages.say("only a part of the instruction is done")
            self.code = ExitCode.MISFIT
        return int(self.code)

    def _unread(self) -> int:
        """The reader of the events closed the pipe (`… --json | head`), which stops the turn as Ctrl+C
        does."""
        close_stdout()
        with contextlib.suppress(BrokenPipeError):
            self._stopped("the output was closed" + ("; nothing was written" if self.apply else ""))
        return int(ExitCode.INTERRUPTED)

    def _why_nothing(self) -> str:
        if not self.reason:
            return "nothing to resume: the last turn is complete"
        return why_no_hunk(self.reason, self.answer, edited=self.edited)

    def _events(self, instruction: str) -> Iterator[Event]:
        session, stop = self.session, self.stop
        if not self.resumed:
            return session.turn(instruction, files=self.files, stop=stop)
        if self.choose and not instruction:
            return self._chosen()
        if instruction and not session.turns.can_resume:
            return session.turns.follow(instruction, files=self.files, stop=stop)
        if self.files:
            hint = "Leave out -f, or start a new turn without --resume."
            raise UsageError("a resumed turn keeps its files", hint=hint)
        if session.turns.stopped and not (session.turns.failed_at_once and self.names_backend):
            session.turns.check_resume()
        for event in session.turns.shown_before():
            # The whole turn reads as one, as if it had never been stopped.
            if self.json:
                print_event(event)
            self.doubts.note(event)
        if instruction:
            return session.turns.steer(instruction, stop=stop)
        # What came to its end is delivered as it stands.
        unfinished = session.turns.can_resume or session.turns.failed_at_once
        return session.turns.resume(stop=stop) if unfinished else iter(())

    def _chosen(self) -> Iterator[Event]:
        """The turn of the choice that the command names."""
        if self.edited and not self.titles:
            hint = f"Leave out --choose. To take the only edit: {self.again}"
            raise UsageError("there is nothing to choose from", hint=hint)
        self.titles, self.answer, self.chosen = (), "", True
        return self.session.turns.choose(self.choose, stop=self.stop)

    def _with_checks(self, stream: Iterator[Event]) -> Iterator[Event]:
        """The events of a leg; before the one that ends a whole answer, what its hunks would break."""
        end: events.Finished | None = None
        for event in stream:
            if isinstance(event, events.Finished):
                end = event
            else:
                yield event
        if end is None:
            return
        if end.reason == "stop" and self.code is ExitCode.DONE and not self.failures.left:
            self.wait.wait_for("checking the repository")
            yield from self.session.check_answer(stop=self.stop)
        yield end

    def _deliver(self, hunks: Sequence[Hunk]) -> None:
        hunk_ids = [hunk.id for hunk in hunks]
        if not self.json:
            source = self.session.decisions.review.source
            told = self.answer if self.exact else ""
            for line in doubtful_hunks(hunks, lambda hunk_id: self.doubts.of(source(hunk_id)), told):
                self.messages.say(line)
            if beneath := self.session.decisions.beneath_last():
                where = f"{beneath[0].path}:{beneath[0].old_start}" + (" …" if len(beneath) > 1 else "")
                what = f"{count_of(len(beneath), 'hunk')} of earlier turns ({where}), on which it may build"
                self.messages.say(f"it is without {what}; to review all: {self.review}")
        if not self.apply:
            if not self.json:
                write_exactly(self.session.decisions.patch(hunk_ids))
                if sys.stdout.isatty():
                    print_error(f"to write it: {self.again} --apply")
            return
        if self.code is not ExitCode.DONE:
            self._say_kept(hunks)
            return
        applied = self._write(hunk_ids)
        if self.json:
            print_event(applied)
        else:
            many = len(applied.hunks)
            print_error(f"{many} hunk{'s' * (many != 1)} written to {', '.join(applied.paths)}")
            if applied.note:
                print_error(applied.note)
            print_error(f"to undo: spark checkpoints restore {applied.checkpoint}")
        if self.commit:
            self._commit()

    def _say_kept(self, hunks: Sequence[Hunk]) -> None:
        kept = count_of(len(hunks), "complete hunk")
        self.messages.say(f"{kept} kept, none was written; to review: {self.review}")

    def _commit(self) -> None:
        try:
            print_error(f"committed {self.session.changes.commit(self.message, print_error)}")
        except SparkError:
            if self.session.changes.uncommitted:
                print_error(f"to commit it later: {self.again} --commit")
            raise

    def _write(self, hunk_ids: Sequence[int]) -> events.Applied:
        """Hunks that could not be written are open again: only this command accepted them."""
        state = self.session.decisions.review.state
        opened = [hunk_id for hunk_id in hunk_ids if state(hunk_id) == "open"]
        for hunk_id in opened:
            self.session.decisions.decide(hunk_id, "accepted")
        try:
            if self.commit:
                self.session.changes.check_commit(hunk_ids)
            return self.session.changes.write()
        except SparkError as error:
            if error.exit_code in (ExitCode.CHANGED, ExitCode.REFUSED):  # the workbench rejects
                error.hint = f"{error.hint} To review the hunks: {self.review}".strip()
            for hunk_id in opened:
                if state(hunk_id) == "accepted":
                    self.session.decisions.decide(hunk_id, "open")
            raise

    def _show(self, event: Event) -> None:
        self.wait.note(event)
        if self.json:
            self.wait.erase()
            print_event(event)
        self.doubts.note(event)
        if isinstance(event, events.Steered) and self.failures.left:
            self.messages.say("the model was told what does not fit, and tries again")
        self.failures.note(event)
        if isinstance(event, events.TurnStarted):
            self.exact = event.backend == EXACT_BACKEND
            if not self.exact:
                gc.enable()  # a model takes its time
        elif isinstance(event, events.Checked) and event.note:
            self.messages.say(event.note)
        elif isinstance(event, events.Retrying):
            self.messages.say(event.sentence)
        elif isinstance(event, events.ToolFinished):
            self.messages.say(tool_line(event))
        elif isinstance(event, events.Choices):
            self._show_choices(event)
        elif isinstance(event, events.HunkOpened):
            self.messages.end_line()
        elif isinstance(event, events.HunkClosed):
            self.edited = True
        elif isinstance(event, events.HunkFailed):
            self._show_misfit(event)
        elif isinstance(event, events.Prose):
            self.answer += event.text
            if not self.json:
                self.messages.tell(for_command(event.text, "spark exec"))
        else:
            self._note_end(event)

    def _note_end(self, event: Event) -> None:
        """The exit code of a turn that ended otherwise than whole, and why."""
        if isinstance(event, events.Failed):
            self.code = ExitCode(event.exit_code)
            self.messages.say(failure(event, self.again, kept=self.edited))
        elif isinstance(event, events.Interrupted):
            self.code = ExitCode.TIMEOUT if self.timed_out else ExitCode.INTERRUPTED
            self._stopped("time limit reached" if self.timed_out else "interrupted")
        elif isinstance(event, events.Finished):
            self.reason = event.reason
            if event.reason in events.CUT_OFF:
                self.code = ExitCode.INTERRUPTED
                self._stopped(events.CUT_OFF[event.reason])

    def _show_choices(self, event: events.Choices) -> None:
        self.messages.end_line()
        self.titles = event.titles
        if self.choose or self.json:
            return
        if self.edited:
            what = "what is left" if event.is_rest else "other edits may be meant"
            self.messages.say(f"{what}: --choose N takes one")
        for number, title in enumerate(event.titles, 1):
            print_error(f"  {number}  {title}")

    def _show_misfit(self, event: events.HunkFailed) -> None:
        if event.code != ExitCode.DONE:
            self.messages.say(misfit(event))
        elif (place := f"{event.path}:{event.line}: {event.message}") not in self.answer:
            self.messages.say(place)

    def _stopped(self, why: str) -> None:
        self.messages.say(f"{why}; to resume: {self.again}")

    def _ran_out(self) -> None:
        self.timed_out = True
