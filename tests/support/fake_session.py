"""A session whose turns are scripted: events in order, with pauses that a test ends."""

from __future__ import annotations

import asyncio
import difflib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.context.symbol_index import Symbol, SymbolIndex
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.review import Review
from spark_tui.errors import NothingToDo
from spark_tui.session.exact.edit_commands import FullCommand
from spark_tui.session.exact.edit_completion import Completions
from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.exact.exact_turns import EditRefused
from spark_tui.session.review.messages import Outbox
from spark_tui.session.tree.manual_edits import TypedFile
from spark_tui.tools.mcp_texts import ServerText
from spark_tui.tools.permission import Permissions

CART = '''"""What one customer is about to buy."""

from shop import prices


class Cart:
    """Lines of items and quantities."""

    def __init__(self, inventory, customer):
        self.inventory = inventory
        self.customer = customer
        self.lines = {}

    def add(self, sku, qty=1):
        item = self.inventory.get(sku)
        self.lines[item.sku] = self.lines.get(item.sku, 0) + qty
        return self.lines[item.sku]

    def is_empty(self):
        return len(self.lines) == 0

    def count(self):
        return sum(self.lines.values())

    def subtotal(self):
        total = 0
        for sku, qty in self.lines.items():
            total += self.inventory.get(sku).price * qty
        return total
'''
BODY = tuple(CART.split("\n")[13:17])
"""The lines of the body of `Cart.add`."""

LONGEST_WAIT_SECONDS = 60.0
"""Only a failure waits so long."""


class Pause:
    """A place in a script where the model waits until the test calls `go`, or until it is stopped."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._go = threading.Event()

    async def come(self) -> None:
        """Until the model waits here."""
        came = await asyncio.to_thread(self.reached.wait, LONGEST_WAIT_SECONDS)
        assert came, "the model never came to its pause"

    def go(self) -> None:
        self._go.set()

    def wait(self, stop: threading.Event) -> None:
        self.reached.set()
        while not self._go.wait(0.005) and not stop.is_set():
            pass


class FakeBackend:
    name = "fake-12m"
    window = 8192
    closed = False

    def __init__(self, name: str = name) -> None:
        self.name = name

    def close(self) -> None:
        self.closed = True


class FakeFinding:
    """Over the texts of a fake session."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts
        self.index = SymbolIndex(texts.get, lambda path: hash(texts.get(path)))

    def files(self) -> list[str]:
        return sorted(self._texts)

    def symbols(self, files: Sequence[str], stop: threading.Event) -> Iterator[list[Symbol]]:
        yield from self.index.look(files, stop)

    def mention(self, symbol: Symbol) -> str:
        return f"{symbol.path}:{symbol.line}"


class FakeExact:
    """Knows no symbols and makes no edits."""

    done = total = 0

    def load(self, stop: threading.Event) -> None:
        del stop

    def candidates(self, line: str, at: int, path: str) -> Completions:
        del line, path
        return Completions(at, at, "")

    def complete(self, line: str, cursor: Cursor) -> FullCommand:
        del line, cursor
        raise EditRefused("no edits here")

    def plan(self, line: str, cursor: Cursor, stop: threading.Event | None = None) -> PlannedEdit:
        del line, cursor, stop
        raise EditRefused("no edits here")


Script = Sequence[events.Event | Pause]


class FakeSession:
    """Writes into a dict, and plays each part of a session. What was called is in `calls`, in order."""

    def __init__(
        self, files: dict[str, str], scripts: dict[str, Script], settings: Settings | None = None
    ) -> None:
        self.root, self.folder, self.id, self.stopped = Path("shop"), Path("kept/fake"), "fake", False
        self.backend: Any = FakeBackend()
        self.settings = settings or Settings()
        self.texts = dict(files)
        self.scripts = scripts
        self.calls: list[tuple[Any, ...]] = []
        self.review = Review()
        self.outbox = Outbox()
        self.warmed, self.read_for = list[tuple[Any, ...]](), list[Any]()
        self.looked_at: tuple[Any, ...] = ()
        self.undo_stack: list[tuple[dict[str, str], events.Applied]] = []
        self.committed = 0
        self.commit_waits: Pause | None = None
        self.refuse: Exception | None = None
        self.cut_off: tuple[int, tuple[str, ...], tuple[str, ...]] = (14, (), ("    partial",))
        """Where the open hunk of a turn that is stopped begins, and its two sides as far as they came."""
        self.closed = self.can_redo = False
        self.finding, self.stamp = FakeFinding(self.texts), Mock(return_value=(0, 0, 0))
        self.exact = FakeExact()
        self.next_edits, self.breaks_of_write = Mock(likely_next=Mock(return_value=())), lambda: None
        self.written_before = None
        self.written_files = self.in_conflict = self.read_only = set[Any]().intersection
        self.permissions, self.places, self.keep = Permissions(), Mock(return_value={}), Mock()
        self.prompts: list[ServerText] = []
        self.resources: list[ServerText] = []
        """What the MCP servers of the settings offer."""
        self.copy: Path | None = None
        """Where the files stand with the hunks that are not written."""
        self.checks: Sequence[events.Event] = ()
        """What the check of an answer finds."""

    def server_prompts(self) -> list[ServerText]:
        return self.prompts

    def server_resources(self) -> list[ServerText]:
        return self.resources

    def load_reader(self, stop: threading.Event) -> None:
        self.read_for.append(self.backend)

    def pending_tree(self, stop: threading.Event) -> Path | None:
        return None if stop.is_set() else self.copy

    def check_answer(self, *, stop: threading.Event) -> tuple[events.Event, ...]:
        return () if stop.is_set() else tuple(self.checks)

    @property
    def turns(self) -> FakeSession:
        return self

    decisions = changes = manual_edits = tree = ghost = ahead = tools = turns
    can_resume = False

    def draft(self, ask: ContextRequest) -> None:
        self.warmed.append((ask.instruction, ask.in_view, ask.selection, ask.cursor))

    def start(self, ask: ContextRequest, *, stop: threading.Event) -> Iterator[events.Event]:
        self.looked_at = (ask.selection, ask.cursor)
        self.calls.append(("turn", ask.instruction, ask.in_view))
        yield events.TurnStarted("t", ask.instruction, self.backend.name, "lines")
        yield from self._play(ask.instruction, stop)

    def steer(self, message: str, *, stop: threading.Event) -> Iterator[events.Event]:
        self.calls.append(("steer", message))
        yield events.Steered(message)
        yield from self._play(message, stop)

    def branch_at(self, hunk_id: int, message: str, *, stop: threading.Event) -> Iterator[events.Event]:
        self.calls.append(("branch_at", hunk_id, message))
        yield events.Steered(message)
        yield from self._play(message, stop)

    def resume(self, *, stop: threading.Event) -> Iterator[events.Event]:
        self.calls.append(("resume",))
        yield from self._play("resume", stop)

    def retry(self, *, stop: threading.Event) -> Iterator[events.Event]:
        self.calls.append(("retry",))
        yield events.TurnStarted("t", "again", self.backend.name, "lines")
        yield from self._play("retry", stop)

    def choose(self, number: int, *, stop: threading.Event) -> Iterator[events.Event]:
        self.calls.append(("choose", number))
        yield events.TurnStarted("t", "again", self.backend.name, "lines")
        yield events.Chosen(number, 3)
        yield from self._play(f"choice {number}", stop)

    def _play(self, name: str, stop: threading.Event) -> Iterator[events.Event]:
        at, open_hunk = 0, 0
        for item in self.scripts.get(name, ()):
            if isinstance(item, Pause):
                item.wait(stop)
            if stop.is_set():
                if open_hunk:
                    cut = events.HunkClosed(open_hunk, "cart.py", *self.cut_off, partial=True)
                    self.review.add(Hunk.of(cut))
                    yield cut
                yield events.Interrupted(at, open_hunk)
                yield events.Finished("interrupted")
                return
            if isinstance(item, Pause):
                continue
            at += isinstance(item, events.Token)
            if isinstance(item, events.HunkOpened):
                open_hunk = item.hunk_id
            if isinstance(item, events.HunkClosed):
                self.review.add(Hunk.of(item))
                open_hunk = 0
            yield item
        yield events.Finished("stop", events.Usage(prompt_tokens=900, output_tokens=at))

    def decide(self, hunk_id: int, decision: events.Decision, text: str = "") -> tuple[()]:
        self.calls.append(("decide", hunk_id, decision, text))
        if self.refuse:
            raise self.refuse
        review = self.review
        acts = {"accepted": review.accept, "rejected": review.reject, "open": review.reopen}
        acts |= {"kept": review.keep, "dropped": review.drop}
        acts.get(decision, lambda known: review.edit(known, text))(hunk_id)
        return ()

    def patch(self, hunk_ids: Iterable[int] | None = None) -> str:
        wanted = self.review.accepted() if hunk_ids is None else [self.review.hunk(i) for i in hunk_ids]
        out: list[str] = []
        for hunk in wanted:
            out.append(f"diff --git a/{hunk.path} b/{hunk.path}")
            out += difflib.unified_diff(
                hunk.old_lines, hunk.new_lines, f"a/{hunk.path}", f"b/{hunk.path}", lineterm=""
            )
        return "".join(line + "\n" for line in out)

    def check_write(self) -> None: ...

    def write(self) -> events.Applied:
        self.calls.append(("write",))
        hunks = self.review.accepted()
        if not hunks:
            raise NothingToDo("no hunk is accepted", hint="Accept one with a.")
        before = dict(self.texts)
        for hunk in sorted(hunks, key=lambda h: -h.old_start):
            lines = self.texts[hunk.path].split("\n")
            lines[hunk.old_start - 1 : hunk.old_end - 1] = hunk.new_lines
            self.texts[hunk.path] = "\n".join(lines)
        ids = tuple(hunk.id for hunk in hunks)
        applied = events.Applied(tuple({hunk.path for hunk in hunks}), f"c{len(self.undo_stack)}", ids)
        self.review.mark_applied(ids)
        self.undo_stack.append((before, applied))
        return applied

    def begin(self, path: str) -> Sequence[str]:
        return tuple(self.read_lines(path) or ())

    def save(self, texts: Mapping[str, Sequence[str]]) -> events.Applied:
        self.calls.append(("save", {path: list(lines) for path, lines in texts.items()}))
        before = dict(self.texts)
        self.texts.update({path: "".join(f"{line}\n" for line in lines) for path, lines in texts.items()})
        applied = events.Applied(tuple(texts), f"c{len(self.undo_stack)}")
        self.undo_stack.append((before, applied))
        return applied

    def rebase(self, path: str, lines: Sequence[str]) -> TypedFile | None:
        """As if nobody else ever changed the same lines."""
        return TypedFile(tuple(self.read_lines(path) or ()), tuple(lines))

    def fill(self, path: str, lines: Sequence[str], row: int, column: int, *, stop: threading.Event) -> str:
        return ""

    def undo(self) -> events.Undone:
        self.calls.append(("undo",))
        if not self.undo_stack:
            raise NothingToDo("there is nothing to undo")
        self.texts, applied = self.undo_stack.pop()
        self.review.mark_undone(applied.hunks)
        return events.Undone(applied.paths, applied.checkpoint)

    def redo(self) -> events.Undone:
        raise NothingToDo("there is nothing to redo")

    @property
    def uncommitted(self) -> bool:
        return len(self.undo_stack) > self.committed

    @property
    def can_undo(self) -> bool:
        return bool(self.undo_stack)

    def draft_message(self) -> str:
        return "Guard it\n\n- cart.py\n"

    def commit(self, message: str | None = None, says: Callable[[str], None] | None = None) -> str:
        if says is not None and self.commit_waits is not None:
            says("waiting up to 10 s: the index is locked")
            self.commit_waits.wait(threading.Event())
        self.calls.append(("commit", message))
        self.committed = len(self.undo_stack)
        return "abc1234"

    def read_lines(self, path: str) -> Sequence[str] | None:
        text = self.texts.get(path)
        return None if text is None else text.removesuffix("\n").split("\n")

    def use(self, backend: Any) -> Any:
        self.calls.append(("use", backend.name))
        before, self.backend = self.backend, backend
        return before

    def adopt(self, settings: Settings) -> None:
        self.settings = settings

    def branch(self) -> str:
        return "main"

    def head_moved(self) -> bool:
        return False

    def dirty(self) -> bool:
        return bool(self.undo_stack)

    def close(self) -> None:
        self.closed = True


def tokens(text: str) -> list[events.Event]:
    return [events.Token(i, text[i : i + 4]) for i in range(0, len(text), 4)]


def guard(pause_inside: Pause | None = None, pause_after: Pause | None = None) -> Script:
    """Two hunks in cart.py: a guard in `add`, and a shorter `is_empty`."""
    new = ("    def add(self, sku, qty=1):", "        if qty < 1:", "            raise ValueError(qty)")
    script: list[events.Event | Pause] = [
        events.PrefillProgress(450, 900),
        events.PrefillProgress(900, 900),
        events.Token(1, "*** cart.py"),
        events.HunkOpened(1, "cart.py", 14, 1),
    ]
    for at, line in enumerate(new):
        half = len(line) // 2
        script += [events.Token(2 + at, line), events.HunkText(1, line[:half])]
        if at == 2 and pause_inside:
            script.append(pause_inside)
        script.append(events.HunkText(1, line[half:] + "\n"))
    script.append(events.HunkClosed(1, "cart.py", 15, (), new[1:]))
    if pause_after:
        script.append(pause_after)
    script += [
        events.HunkOpened(2, "cart.py", 20, 1),
        events.Token(7, "return"),
        events.HunkText(2, "        return not self.lines\n"),
        events.HunkClosed(
            2, "cart.py", 20, ("        return len(self.lines) == 0",), ("        return not self.lines",)
        ),
        events.Prose("Both places are guarded now.\n"),
    ]
    return script
