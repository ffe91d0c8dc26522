"""Property: whatever is drawn after whatever, the terminal shows what it would show had every line been sent
whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from support.small_terminal import SmallTerminal
from textual.strip import Strip

from spark_tui.tui.terminal.output import Piece, TerminalWriter

CONSOLE = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
INK, QUIET = Style(color="#d9dfea", bgcolor="#0f1218"), Style(color="#677287", bgcolor="#0f1218")
LOUD = Style(color="#d9dfea", bgcolor="#12251d", bold=True)
STYLES = [
    INK,
    QUIET,
    LOUD,
    Style(color="red", bgcolor="#0f1218", strike=True),
    Style(color="default", bgcolor="default"),
    Style(reverse=True),
    Style(italic=True, color="bright_green", bgcolor="color(200)"),
    Style(underline=True, link="https://example.org"),
    None,
]
REGIONS = ((0, 9), (9, 10), (19, 1), (9, 11))
"""Column and cells: two panes, a column at the edge, and the second pane with that column."""


def drawn_whole(pieces: Sequence[Piece], console: Console = CONSOLE) -> str:
    return "".join(f"\x1b[{y + 1};{x + 1}H{Strip(segments).render(console)}" for y, x, segments in pieces)


@st.composite
def pieces(draw: st.DrawFn) -> Piece:
    x, cells = draw(st.sampled_from(REGIONS))
    cuts = sorted(draw(st.lists(st.integers(0, cells), max_size=3)))
    segments = []
    for start, end in zip([0, *cuts], [*cuts, cells], strict=True):
        text = draw(st.text(alphabet="ab  ●▌é漢́", max_size=end - start)).lstrip("́")
        segments.append(Segment(set_cell_size(text, end - start), draw(st.sampled_from(STYLES))))
    return draw(st.integers(0, 3)), x, segments


def _without_links(text: str) -> str:
    return re.sub(r"\x1b\]8;[^\x1b]*\x1b\\", "", text)


@given(st.lists(st.lists(pieces(), max_size=6), max_size=6))
def test_the_terminal_shows_what_it_would_show_had_every_line_been_sent_whole(
    frames: list[list[Piece]],
) -> None:
    wire, lean, whole = TerminalWriter(), SmallTerminal(), SmallTerminal()
    for frame in frames:
        lean.feed(_without_links(wire.draw(frame, CONSOLE)))
        whole.feed(_without_links(drawn_whole(frame)))
        assert lean.cells == whole.cells
        assert lean.at_rest


def test_what_stands_there_is_not_sent_again() -> None:
    wire, line = TerminalWriter(), [Segment("value", INK), Segment(" = 1    ", QUIET)]
    assert wire.draw([(3, 5, line)], CONSOLE)
    assert wire.draw([(3, 5, line)], CONSOLE) == ""
    assert (
        wire.draw([(3, 5, [Segment("value", INK), Segment(" = 1", QUIET), Segment("    ", INK)])], CONSOLE)
        == ""
    )
    assert wire.draw([(4, 5, line)], CONSOLE)


def test_of_a_line_only_what_differs_is_sent() -> None:
    wire = TerminalWriter()
    wire.draw([(0, 0, [Segment("  41    ", QUIET), Segment("line = 41          ", INK)])], CONSOLE)
    sent = wire.draw([(0, 0, [Segment("  42    ", QUIET), Segment("line = 42          ", INK)])], CONSOLE)
    assert re.sub(r"\x1b\[[\d;]*[Hm]", "|", sent) == "||2||2|"


def test_a_look_that_goes_on_is_said_once() -> None:
    sent = TerminalWriter().draw(
        [(y, 0, [Segment("+ ", LOUD), Segment("text", LOUD)]) for y in range(5)], CONSOLE
    )
    assert sent.count("48;2;18;37;29") == 1
    assert sent.endswith("\x1b[0m")


def test_nothing_is_known_of_a_terminal_on_which_something_else_has_drawn() -> None:
    wire, line = TerminalWriter(), [Segment("text", INK)]
    first = wire.draw([(0, 0, line)], CONSOLE)
    wire.forget()
    assert wire.draw([(0, 0, line)], CONSOLE) == first


def test_after_what_a_terminal_may_draw_wider_the_line_is_sent_whole() -> None:
    wire = TerminalWriter()
    line, edge = [Segment("e\u0301 = 1", INK)], [Segment("│", QUIET)]
    first = wire.draw([(0, 0, line), (0, 5, edge)], CONSOLE)
    assert wire.draw([(0, 0, line), (0, 5, edge)], CONSOLE) == first


@pytest.mark.parametrize(
    "text", ["漢", "e\u0301", "का", "\U0001f5c0", "\u2764\ufe0f", "\ue0b0", "\u0378"], ids=ascii
)
def test_a_character_that_terminals_do_not_agree_on_has_its_line_sent_whole(text: str) -> None:
    wire, line = TerminalWriter(), [Segment(f"{text} = 1", INK)]
    assert wire.draw([(0, 0, line)], CONSOLE) == wire.draw([(0, 0, line)], CONSOLE)


@pytest.mark.parametrize("system", ["standard", "256"])
def test_fewer_colours_are_kept_to(system: str) -> None:
    colors: Any = system
    console = Console(color_system=colors, force_terminal=True, legacy_windows=False)
    wire, lean, whole = TerminalWriter(), SmallTerminal(), SmallTerminal()
    frame: list[Piece] = [(0, 0, [Segment("text", INK), Segment(" more ", LOUD)])]
    # A style of Rich keeps its codes for the first colours that it was drawn with.
    fresh: list[Piece] = [
        (0, 0, [Segment(text, style and Style(color=style.color, bgcolor=style.bgcolor, bold=style.bold))])
        for text, style, _ in frame[0][2]
    ]
    fresh[1] = (0, 4, fresh[1][2])
    lean.feed(wire.draw(frame, console))
    whole.feed(drawn_whole(fresh, console))
    assert lean.cells == whole.cells
