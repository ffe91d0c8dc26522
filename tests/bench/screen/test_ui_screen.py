from __future__ import annotations

from spark_tui.bench.screen.terminal import Screen


def test_a_number_of_which_one_digit_is_sent_stands_whole() -> None:
    screen = Screen(30, 3)
    assert screen.feed(b"\x1b[2;3H\x1b[38;2;1;2;3mvalue_000129\x1b[0m = 1") == {1}
    assert screen.feed(b"\x1b[2;13H30") == {1}
    assert screen.rows[1].rstrip() == "  value_000130 = 1"
    assert screen.rows[0].strip() == screen.rows[2].strip() == ""


def test_a_sequence_and_a_character_may_come_in_any_parts() -> None:
    wire = "\x1b[?2026h\x1b]0;title\x07\x1b[2;1H›● Q\x1b[3;4Hend\x1b(B\r\x1b[2Cx\x1b[?2026l".encode()
    for cut in range(1, len(wire)):
        screen = Screen(10, 3)
        for at in range(0, len(wire), cut):
            screen.feed(wire[at : at + cut])
        assert [row.rstrip() for row in screen.rows] == ["", "›● Q", "  xend"]


def test_what_is_erased_is_gone() -> None:
    screen = Screen(6, 3)
    screen.feed(b"\x1b[1;1Habcdef\x1b[2;1Habcdef\x1b[3;1Habcdef")
    screen.feed(b"\x1b[1;3H\x1b[2X\x1b[2;4H\x1b[K\x1b[3;3H\x1b[1K")
    assert screen.rows == ["ab  ef", "abc   ", "   def"]
    screen.feed(b"\x1b[1;1H\x1b[J")
    assert screen.rows == ["ab  ef", "      ", "      "]
    screen.feed(b"\x1b[2J")
    assert screen.rows == ["      "] * 3
