"""Divides the text of a gpt-oss model into its messages, where its server left the tags in it.

<|channel|>analysis<|message|>It is a cart.<|end|><|start|>assistant<|channel|>final<|message|>Done.
<|channel|>commentary to=functions.edit <|constrain|>json<|message|>{"path": "cart.py"}<|call|>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BEGINNINGS = ("<|channel|>", "<|start|>")
"""The first tag of such a text."""
_TAG = re.compile(r"<\|(start|channel|constrain|message|end|return|call)\|>")
_BEGUN_TAG = re.compile(r"<(?:\|[a-z]{0,9}\|?)?\Z")
_CALLED = re.compile(r"\bto=(\S+)")


@dataclass(slots=True)
class ChannelTags:
    """`number`, `called` and `thinks` are of the message whose text was given last."""

    number: int = 0
    _head: str = ""
    _in_head: bool = False
    _held: str = ""

    @property
    def called(self) -> str:
        """The tool of which it has the arguments."""
        found = _CALLED.search(self._head)
        return found[1] if found else ""

    @property
    def thinks(self) -> bool:
        return "analysis" in self._head

    def feed(self, text: str) -> Iterator[str]:
        *parts, rest = _TAG.split(self._held + text)
        for said, tag in zip(parts[::2], parts[1::2], strict=True):
            yield from self._said(said)
            if tag in ("start", "end", "return", "call"):
                self._head = ""
            self.number += tag == "message"
            self._in_head = tag in ("start", "channel", "constrain")
            self._head += " "
        begun = _BEGUN_TAG.search(rest)
        self._held = begun[0] if begun else ""
        yield from self._said(rest.removesuffix(self._held))

    def finish(self) -> Iterator[str]:
        yield from self._said(self._held)

    def _said(self, text: str) -> Iterator[str]:
        if self._in_head:
            self._head += text
        elif text.strip() or (text and self._head.strip()):
            yield text
