"""The texts that connections have sent, so that a client need not send a file again with every request.

They are bounded over all connections. One that has gone is asked for again (`unknown_text`).
"""

from __future__ import annotations

from collections import OrderedDict


class SharedBound:
    """The memory that the texts of all connections may take; the least recently used go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._order: OrderedDict[tuple[int, str], KnownTexts] = OrderedDict()
        self.bytes = 0

    def add(self, texts: KnownTexts, mark: str, size: int) -> None:
        """The newest stays whatever it takes: its request is about to use it."""
        self._order[id(texts), mark] = texts
        self.bytes += size
        while self.bytes > self._most and len(self._order) > 1:
            (_, oldest), held = next(iter(self._order.items()))
            held.drop(oldest)

    def use(self, texts: KnownTexts, mark: str) -> None:
        self._order.move_to_end((id(texts), mark))

    def remove(self, texts: KnownTexts, mark: str, size: int) -> None:
        del self._order[id(texts), mark]
        self.bytes -= size


class KnownTexts(dict[str, str]):
    """Those of one connection, by digest."""

    def __init__(self, bound: SharedBound) -> None:
        super().__init__()
        self._bound = bound

    def __getitem__(self, mark: str) -> str:
        self._bound.use(self, mark)
        return super().__getitem__(mark)

    def __setitem__(self, mark: str, text: str) -> None:
        if mark in self:
            self.drop(mark)
        super().__setitem__(mark, text)
        self._bound.add(self, mark, text.__sizeof__())

    def drop(self, mark: str) -> None:
        self._bound.remove(self, mark, self.pop(mark).__sizeof__())

    def close(self) -> None:
        """The connection has ended."""
        for mark in list(self):
            self.drop(mark)
