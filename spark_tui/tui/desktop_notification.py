"""Telling a person who looks elsewhere that a long turn has ended: the bell, and what terminals show as a
message.

Comes in: a sentence. Goes out: the sequences for the terminal (BEL, OSC 9, OSC 777). Must not know: turns,
widgets.
"""

from __future__ import annotations

from spark_tui.tui.safe_text import one_line

LONG_SECONDS = 8.0


def sequence(text: str) -> str:
    """Terminals that do not know an OSC leave it out; the bell reaches the others, and tmux."""
    said = one_line(text).replace(";", ",")[:200]
    return f"\x07\x1b]9;{said}\x07\x1b]777;notify;spark;{said}\x07"
