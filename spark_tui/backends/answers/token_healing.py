"""Token healing: let the model rewrite the word that is being typed, so that it sees whole tokens only.

A cursor rarely sits at a token boundary of the finished line: in 28 of 100 places of real code. The prompt
therefore ends before the last word, generation is constrained to begin with that word, and its text is
removed from what is shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from spark_tui.backends.local.prompt_format import TextReader
from spark_tui.engine.text import token_layout
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.events import Event, Token

_LAST = re.compile(r"(?:\w+| ?[^\w\s]+)? *$")
_FIRST_ID, _LAST_ID = token_layout.OPERATOR_COUNT, token_layout.TAG_FIRST_ID


class PlainTokens:
    """The plain tokens of a vocabulary, indexed by their text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._by_first: dict[int, list[tuple[int, bytes]]] = {}
        self._masks: dict[bytes, NDArray[np.bool_]] = {}

    def bytes_of(self, token: int) -> bytes:
        return self._tokenizer.bytes_of(token)

    def split(self, ids: Sequence[int], line: str) -> tuple[list[int], str]:
        """The ids of a line that further typing cannot change, and the text after them."""
        # A byte that is no text is a question mark, as the tokenizer has it.
        line = line.encode("utf-8", "replace").decode()
        typed = line.encode()
        if not line.strip():
            return list(ids), ""
        found = _LAST.search(line)
        start = len(line[: found.start()].encode()) if found else len(typed)
        kept: list[int] = []
        done = 0
        for token in ids:
            size = len(self.bytes_of(token))
            if done + size > start:
                break
            kept.append(token)
            done += size
        while kept and self.bytes_of(kept[-1]) == b" ":  # a keyword takes the space before it along
            kept.pop()
            done -= 1
        word = typed[done:].decode(errors="replace")
        # Half a character, or a tokenizer that changes text: as it was typed.
        return (kept, word) if typed[:done] + word.encode() == typed else (list(ids), "")

    def beginning(self, rest: bytes) -> NDArray[np.bool_]:
        """The tokens that write some of `rest`, or all of it and more."""
        mask = self._masks.get(rest)
        if mask is None:
            mask = np.zeros(token_layout.TAG_FIRST_ID + token_layout.TAG_COUNT, bool)
            for token, text in self._with(rest[0]):
                mask[token] = text.startswith(rest) or rest.startswith(text)
            if len(self._masks) > 500:
                self._masks.clear()
            self._masks[rest] = mask
        return mask

    def _with(self, first: int) -> list[tuple[int, bytes]]:
        if not self._by_first:
            for token in range(_FIRST_ID, _LAST_ID):
                text = self.bytes_of(token)
                if text:
                    self._by_first.setdefault(text[0], []).append((token, text))
        return self._by_first.get(first, [])


class TokenHealing:
    """A `Constraint`: the answer, which starts after `behind` ids, must begin with a word. The state is the
    part of the word that is not written yet.
    """

    def __init__(self, words: PlainTokens, word: str, behind: int) -> None:
        self._words, self._word, self._behind = words, word.encode(), behind

    def start(self, prompt: Sequence[int]) -> bytes:
        """What was written before a pause counts."""
        rest = self._word
        for token in prompt[self._behind :]:
            rest = self.advance(rest, token)
        return rest

    def advance(self, state: bytes, token: int) -> bytes:
        """What is left of the word."""
        text = self._words.bytes_of(token)
        return state[len(text) :] if state.startswith(text) else b""

    def allowed(self, state: bytes) -> NDArray[np.bool_] | None:
        """After the word, everything."""
        mask = self._words.beginning(state) if state else None
        return mask if mask is not None and mask.any() else None


class HealedReader(TextReader):
    """Returns the text after the word."""

    def __init__(
        self, tokenizer: Tokenizer, word: str, stop_texts: Sequence[str], emitted: Sequence[int] = ()
    ) -> None:
        super().__init__(tokenizer, stop_texts, emitted)
        self._left = max(0, len(word) - len(tokenizer.decode(emitted)))

    def read(self, token: Token, last: bool) -> list[Event]:
        out: list[Event] = []
        for event in super().read(token, last):
            if isinstance(event, Token) and self._left:
                cut = min(self._left, len(event.text))
                self._left -= cut
                event = replace(event, text=event.text[cut:])
            out.append(event)
        return out
