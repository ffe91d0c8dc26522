"""The text of the header, the title of the code pane, the status line and the footer, made from plain
values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.tui.code.hunk_view import DOUBT_MARK, MARKS, OPEN, TAKEN, HunkState, HunkView
from spark_tui.tui.code.text_search import TextSearch
from spark_tui.tui.text.safe_text import one_line, shorten
from spark_tui.tui.turns.metrics import sparkline
from spark_tui.tui.turns.state import TurnState
from spark_tui.tui.view_state import Hint

if TYPE_CHECKING:
    from spark_tui.session.reader.read_ahead import Preview

Named = list[tuple[str, str]]
_SPARK_CELLS = 12
_ASKS_MODEL = "no exact edit: the model is asked"
SILENCE_SECONDS = 3.0
"""A shorter pause in an answer is not worth a word."""
_UNDECIDED = OPEN - {"streaming"}
_STANDS = _UNDECIDED | TAKEN
_COUNTED: tuple[HunkState, ...] = (
    "written",
    "accepted",
    "rejected",
    "closed",
    "partial",
    "conflict",
    "failed",
    "left",
    "streaming",
)


def header(
    root: str, branch: str, dirty: bool, backend: str, window: int, mode: str = "", jobs: str = ""
) -> tuple[Named, Named]:
    """The folder, the branch, background activity, and the model. `mode` says how the model is reached."""
    left: Named = [(" ✦ spark ", "brand"), (f"  {shorten(root, 30)}", "pane")]
    if branch:
        left.append((f"  ⎇ {shorten(branch, 30)}{'*' if dirty else ''}", "pane.soft"))
    if jobs:
        left.append((f"  {jobs}", "pane.accent"))
    right: Named = [
        (f"{_amount(window)} window · " if window else "", "pane.faint"),
        (f"{mode} · " if mode else "", "pane.faint"),
        (f"{shorten(backend, 40)} ", "pane.soft"),
    ]
    return left, right


def mode(settings: Settings) -> str:
    """Where the model runs; the name of a recording shows that there is no model."""
    if settings.replay:
        return ""
    return "server" if settings.connect else "local"


def _amount(tokens: int) -> str:
    """1284 → `1.3k`."""
    return f"{tokens / 1000:.1f}k" if tokens >= 1000 else str(tokens)


def title(
    path: str,
    hunks: Sequence[HunkView],
    turn_state: TurnState,
    following: bool,
    view: str,
    find: TextSearch | None = None,
    has_keys: bool = False,
) -> tuple[Named, Named]:
    """The line above the code: whether the keys are there, the file, its changes, and the position among all
    hunks; during a search, the text and the number of matches."""
    sign = "▸" if has_keys else " "
    left: Named = [(f"{sign}{one_line(path)} " if path else f"{sign}nothing open ", "title")]
    stands = [hunk for hunk in hunks if hunk.state in _STANDS]
    added, removed = sum(hunk.size[0] for hunk in stands), sum(hunk.size[1] for hunk in stands)
    if added or removed:
        left += [(f" +{added}", "taken"), (f" −{removed}", "refused")]
    if find is not None:
        left = [*_found(find, sign), (f"  {one_line(path)} ", "title.soft")]
    right: Named = []
    if turn_state.busy:
        right.append(("following " if following else _elsewhere(turn_state), "title.soft"))
    if view != "auto":
        right.append((f"{view} ", "title.soft"))
    right.append((f"{counts(turn_state)} ", "open"))
    return left, right


def _found(find: TextSearch, sign: str) -> Named:
    """`/total▏  2 of 7`; the end of a long text, where the caret is."""
    pieces: Named = [(f"{sign}/", "open"), (shorten(find.query, 40, keep_end=True), "title")]
    pieces.append(("▏" if find.typing else " ", "open"))
    if find.hit is not None:
        pieces.append((f" {find.number + 1:,} of {find.total:,}", "open"))
        pieces.append((", wrapped" if find.round_the_end else "", "title.soft"))
    elif find.query:
        pieces.append(
            (f" {find.total:,} found" if find.total else " not found", "open" if find.total else "doubt")
        )
    return pieces


def _elsewhere(turn_state: TurnState) -> str:
    """Where the model writes while the user looks at something else: shown in the title, never by jumping
    there."""
    stream = next((hunk for hunk in turn_state.hunks.values() if hunk.state == "streaming"), None)
    if stream is None:
        return "not following "
    name = one_line(stream.path).rpartition("/")[2]
    return f"writes in {name}:{stream.start + max(len(stream.new) - 1, 0)} "


def counts(turn_state: TurnState) -> str:
    """`✓1 ●2 ◌1`: the number of hunks in each state; empty if there are none."""
    by_state: Counter[HunkState] = Counter(hunk.state for hunk in turn_state.in_view())
    by_state["accepted"] += by_state["edited"]
    by_state["rejected"] += by_state["dropped"]
    return " ".join(f"{MARKS[state]}{by_state[state]}" for state in _COUNTED if by_state[state])


def status(
    turn_state: TurnState,
    window: int,
    queued: int,
    message: str = "",
    problem: bool = False,
    busy_with: str = "",
    wafer_rate: float = 0.0,
) -> tuple[Named, Named]:
    """The figures, or a message until the next key. `busy_with`: activity besides a turn."""
    metrics, now = turn_state.metrics, turn_state.clock()
    figures = _figures(turn_state, window, wafer_rate)
    if message:
        return [(f" {one_line(message)} ", "pane.error" if problem else "pane.key")], figures[-1:]
    active = turn_state.busy or bool(busy_with)
    phase = _phase(turn_state) if turn_state.busy or not busy_with else f"◌ {busy_with}"
    left: Named = [(f" {phase}", "pane.accent" if active else "pane.soft")]
    rate = metrics.rate(now) if turn_state.busy else metrics.mean()
    if rate is not None and metrics.own_rate:
        left.append((f"  {metrics.own_rate:,.0f} tok/s, shown at {rate:,.0f}", "pane"))
    elif rate is not None:
        whole = f", {metrics.file_rate:,.0f} with copied text"
        more = whole if metrics.file_rate > rate and not turn_state.busy else ""
        left.append((f"  {rate:,.0f} tok/s{more} ", "pane"))
        left.append((sparkline(metrics.history(), _SPARK_CELLS), "pane.key"))
    if queued:
        left.append((f"  {queued} queued", "pane.warn"))
    if busy_with and turn_state.busy:
        left.append((f"  {busy_with}", "pane.soft"))
    return left, figures


def preview(found: Preview, is_read: bool = True) -> Named:
    """What Enter would come to, where that is an edit, a choice of edits or a question to the model. Without
    `is_read`, newer words are still being read."""
    key, style = (" ↵ ", "pane") if is_read else (" … ", "pane.soft")
    if not found.titles:
        return [(key, "pane.key"), (_ASKS_MODEL, "pane.soft")] if found.asks_model and is_read else []
    if not found.hunks:
        count = f"{len(found.titles)} edits to choose from: "
        return [(key, "pane.key"), (count, "pane.soft"), (one_line(" · ".join(found.titles)), style)]
    size = f"{found.hunks} hunk{'s' * (found.hunks > 1)}"
    size += f" in {len(found.paths)} files" if len(found.paths) > 1 else ""
    mark = [(f" {DOUBT_MARK}", "pane.warn")] if found.doubted else []
    return [(key, "pane.key"), (one_line(found.titles[0]), style), *mark, (f"  {size}", "pane.soft")]


def doubt(hunk: HunkView | None) -> Named:
    """Why the current hunk may be wrong, while it is undecided."""
    if hunk is None or hunk.state not in _UNDECIDED or not hunk.why_doubted:
        return []
    return [(f"  {DOUBT_MARK} {one_line(hunk.why_doubted)}", "pane.warn")]


def loading(name: str, done: int, total: int) -> str:
    """How far another model is."""
    share = f" {100 * done // total} %" if total else " …"
    return f"loading {shorten(name, 40)}{share}"


def _phase(turn_state: TurnState) -> str:
    now = turn_state.clock()
    if turn_state.busy and turn_state.wait.retry is not None:
        until, why = turn_state.wait.retry
        return f"◌ asking again in {max(math.ceil(until - now), 0)} s: {shorten(why, 60)}"
    silence = turn_state.metrics.silence(now)
    match turn_state.phase:
        case "reading" | "streaming" if turn_state.wait.calling:
            since = f", {silence:.0f} s" if silence >= SILENCE_SECONDS else ""
            return f"◌ calling {shorten(turn_state.wait.calling, 40)}{since}"
        case "reading":
            if turn_state.metrics.prefill and turn_state.metrics.prefill[1]:
                done, total = turn_state.metrics.prefill
                return f"◌ reading {100 * done // total} %"
            if silence < SILENCE_SECONDS:
                return "◌ thinking"
            return f"◌ {'thinking' if turn_state.wait.thoughts else 'waiting'}, {silence:.0f} s"
        case "streaming":
            return f"◌ no data for {silence:.0f} s" if silence >= SILENCE_SECONDS else "◌ writing"
        case "stopping":
            return "◐ stopping"
        case "steering":
            return "↪ steering"
    match turn_state.last:
        case events.Failed():
            return "! failed"
        case events.Finished(reason):
            words = dict.fromkeys(events.CUT_OFF, "◐ cut off")
            words |= {"interrupted": "◐ stopped", "cannot": "· declined"}
            words |= {"choices": "· several edits may be meant", "no_edit": "· no edit"}
            failed = turn_state.failed_edits
            ended = f"! {failed} edit{'s' * (failed != 1)} failed" if failed else "✓ done"
            return words.get(reason, ended)
    return "ready"


def _figures(turn_state: TurnState, window: int, wafer_rate: float) -> Named:
    """In rising order of importance: the last is dropped last if there is no room."""
    metrics = turn_state.metrics
    figures: list[str] = []
    if metrics.tokens:
        figures.append(f"{metrics.tokens:,} token{'s' * (metrics.tokens != 1)}")
    if metrics.session_cost:
        figures.append(f"cost {money(metrics.cost)}, session {money(metrics.session_cost)}")
    if wafer_rate:
        figures.append(f"wafer {wafer_rate:,.0f} tok/s")
    if metrics.drafted:
        figures.append(f"speculative {100 * metrics.drafted / metrics.tokens:.0f} %")
    if metrics.first_token is not None:
        seconds = metrics.first_token
        took = f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
        figures.append(f"took {took}" if metrics.exact else f"first token {took}")
    if metrics.context_tokens and not metrics.exact:
        of = f" of {_amount(window)}" if window else ""
        figures.append(f"context {_amount(metrics.context_tokens)}{of}")
    pieces: Named = [
        (text + (" · " if at < len(figures) - 1 else " "), "pane.soft") for at, text in enumerate(figures)
    ]
    return pieces


def money(amount: float) -> str:
    """Two digits that count: `0.0042`, `0.13`, `2.50`."""
    return f"{amount:.2f}" if amount >= 0.1 or not amount else f"{amount:.2g}"


def transcript_edge(tour: str, hints: Sequence[Hint]) -> tuple[Named, Named]:
    """The rule above the transcript, with the sentence of the tour where there is one, and the keys that show
    what is out of view."""
    said = (f"{tour} ", "pane.accent") if tour else ("transcript ", "pane.soft")
    return [("─ ", "pane.rule"), said], _hints(hints)


def prompt_edge(label: str, hints: Sequence[Hint]) -> tuple[Named, Named]:
    """The rule above the prompt, with what Enter, Tab and Esc do now."""
    return [("─ ", "pane.rule"), (label, "pane.soft"), (" ", "pane.rule")], _hints(hints)


def _hints(hints: Sequence[Hint]) -> Named:
    right: Named = []
    for at, (key, what) in enumerate(hints):
        right += [(" · " if at else " ", "pane.rule"), (key, "pane.key"), (f" {what}", "pane.soft")]
    return [*right, (" ─" if right else "", "pane.rule")]
