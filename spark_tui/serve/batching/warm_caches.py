"""The caches of turns that ended, kept so that a turn with the same start need not read it again."""

from __future__ import annotations

from spark_tui.engine import Cache, Engine
from spark_tui.engine.cache.pool import common_prefix
from spark_tui.engine.kernels.attention import PAGE

_LITTLE_TOKENS = 128
_MOST_WARM = 64
"""Conversations whose past stays in the cache after their turn."""


class WarmCaches:
    """The caches that no turn uses, the least recently used first."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._caches: list[Cache] = []

    def __len__(self) -> int:
        return len(self._caches)

    def keep(self, cache: Cache) -> None:
        self._caches.append(cache)

    def take(self, ids: list[int]) -> Cache:
        """The past that shares most with the prompt. One that would lose much of its own is forked instead; a
        little is soon read again, and costs less than the copy of a page in memory that was never touched."""
        best, same = None, 0
        for cache in self._caches:
            length = common_prefix(cache.ids, ids)
            if length > same:
                best, same = cache, length
        if best is None:
            return self._engine.new_cache()
        if best.length - same <= _LITTLE_TOKENS:
            self._caches.remove(best)
            return best
        fork = best.fork()
        fork.rollback(same)
        return fork

    def shrink(self, pages: int) -> None:
        """Close the oldest until the rest fits into that many pages and into the limit of conversations."""
        held = [-(-cache.length // PAGE) + 1 for cache in self._caches]
        while self._caches and (len(self._caches) > _MOST_WARM or sum(held) > pages):
            self._caches.pop(0).close()
            held.pop(0)

    def close(self) -> None:
        for cache in self._caches:
            cache.close()
