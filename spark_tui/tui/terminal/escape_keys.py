"""Reads Esc that is followed at once by another key: most terminals send the same for Alt with that key.

Textual waits for a whole key code after Esc, but looks at the time only between two reads, so that a
character which came too late still counts. Over a slow line both may arrive together, and no time tells them
apart: Alt is what the keymap has a use for, as in vim and Neovim, and anything else is Esc and the key.
Terminals that speak kitty's protocol send two codes that differ, and nothing here concerns them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers import linux_driver
from textual.keys import Keys
from textual.message import Message

_ESC, _ALT = "\x1b", "alt+"
WORDS = {"alt+b": "ctrl+left", "alt+f": "ctrl+right"}
"""By words, as in a shell, where there is text to move in."""
_PAIR = re.compile(r"(\x1b[^\x1b\[O\]P_^X])")
"""Esc with a character with which no longer code begins."""


_REPLY = re.compile(r"\x1b(?:\[[?>=][\d;]*[A-Za-z]|[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\))")
"""What a terminal tells of itself, which nobody typed: its kind, its colours, its name."""


class KeyParser(XTermParser):
    """Ends the wait after Esc when its time is over, and names what comes with Esc after Alt."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._tail, self._pastes = "", False
        """The last characters, so that a code which arrives in two parts is seen."""

    def feed(self, data: str) -> Iterable[Message]:
        yield from self.tick()
        open_escape, joined = self._tail[-1:] == _ESC, self._tail + data
        self._tail = joined[1 - len(BRACKETED_PASTE_START) :]
        if not data or self._is_pasted(joined):
            yield from super().feed(data)
            return
        data = _REPLY.sub("", data)
        first = data[:1] if data and open_escape and _PAIR.match(_ESC + data[0]) else ""
        for part in (first, *_PAIR.split(data[len(first) :])):
            if part:
                yield from super().feed(part)
            if part and (part == first or _PAIR.fullmatch(part)):
                if self._timeout_time is not None:
                    self._timeout_time = 0.0
                yield from self.tick()

    def _is_pasted(self, data: str) -> bool:
        """Whether some of this is pasted text, in which Esc is no key."""
        begun, ended = data.rfind(BRACKETED_PASTE_START), data.rfind(BRACKETED_PASTE_END)
        before, self._pastes = self._pastes, begun > ended if begun != ended else self._pastes
        return before or begun >= 0

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterator[events.Key]:
        if _REPLY.fullmatch(sequence):  # one that came in parts
            yield events.Key(Keys.Ignore, sequence)
            return
        known = ANSI_SEQUENCES_KEYS.get(sequence)
        if sequence[:1] == _ESC and (isinstance(known, str) or _ALT + sequence[1:] in WORDS):
            sequence, alt = sequence[1:], True  # not ¡ and its like, which a Mac writes itself
        for key in super()._sequence_to_key_events(sequence, alt):
            named = alt and key.key != "escape" and not key.key.startswith(_ALT)
            yield events.Key(_ALT + key.key, key.character) if named else key


def parted(event: events.Key) -> tuple[events.Key, events.Key] | None:
    """Esc and the key, where an event may be both; None where the terminal says that it is not."""
    if not event.key.startswith(_ALT) or event.character is None:
        return None
    key, character = event.key.removeprefix(_ALT), event.character
    if key.startswith("shift+") and character.isupper():
        key = character
    return events.Key("escape", _ESC), events.Key(key, character)


def install() -> None:
    vars(linux_driver)["XTermParser"] = KeyParser
