"""Token ids for servers that send text only: each piece gets the next number, so a turn can resume."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from spark_tui.errors import NoBackend

_MOST = 65_536


class PieceIds:
    """The last pieces of this process. A number is never given twice."""

    def __init__(self) -> None:
        self._next = itertools.count(1)
        self._texts: OrderedDict[int, str] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, text: str) -> int:
        with self._lock:
            number = next(self._next)
            self._texts[number] = text
            if len(self._texts) > _MOST:
                self._texts.popitem(last=False)
            return number

    def learn(self, texts: Mapping[int, str]) -> None:
        """Add pieces that another process kept; new ones are numbered after them."""
        with self._lock:
            self._texts.update(texts)
            self._next = itertools.count(max([next(self._next), *(number + 1 for number in texts)]))

    def text(self, ids: Sequence[int]) -> str:
        try:
            return "".join(self._texts[number] for number in ids)
        except KeyError as error:
            raise NoBackend(
                "the earlier part of the answer is no longer available", hint="Send the instruction again."
            ) from error
