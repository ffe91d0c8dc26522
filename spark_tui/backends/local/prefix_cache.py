"""A few warm caches of earlier conversations, and the choice of the one that shares most with a prompt.

Only a prompt that replaces a cache truncates it: prefilling ahead forks, so the previous turn can still be
resumed without prefilling again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spark_tui.engine import Cache, Engine
from spark_tui.engine.cache.pool import common_prefix
from spark_tui.engine.kernels.attention import PAGE

SLOTS = 3


class PrefixCache:
    """At most `SLOTS` pasts, the least recently used given up first."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._caches: list[Cache] = []
        """The most recently used last."""

    def pick(self, ids: Sequence[int], *, keep_others: bool) -> Cache:
        """The cache for this prompt. With `keep_others` no past is cut back for it; without, one that has
        little in common with it is not cut back either."""
        found, same = None, -1
        for cache in self._caches:
            length = common_prefix(cache.ids, ids)
            if length >= same:
                found, same = cache, length
        if found is None:
            return self._add(self._engine.new_cache())
        # The last id of a prompt is always run again, so a past that is one shorter is still whole.
        loses = found.length - same > 1
        if loses and same < len(ids) and (keep_others or 2 * same < len(ids)):
            fork = found.fork() if same else self._engine.new_cache()
            if same:
                fork.rollback(same)
            return self._add(fork)
        self._caches.remove(found)
        self._caches.append(found)
        return found

    def holds(self, ids: Sequence[int]) -> bool:
        """Whether a past already begins with all of `ids`."""
        return any(common_prefix(cache.ids, ids) == len(ids) for cache in self._caches)

    def make_room(self, cache: Cache, tokens: int) -> None:
        """Drop other caches if `tokens` in this one would not fit next to them."""
        pool = self._engine.pool
        held = int(np.count_nonzero(pool.holders)) - -(-cache.length // PAGE)
        if tokens > (pool.n_pages - held) * PAGE:
            for other in self._caches:
                if other is not cache:
                    other.close()
            self._caches = [cache]

    def forget(self) -> None:
        """Give up the pasts and what they read: the next prompt is cold, also where it begins alike."""
        for cache in self._caches:
            cache.rollback(0)
        self.close()
        self._engine.pool.forget()

    def close(self) -> None:
        for cache in self._caches:
            cache.close()
        self._caches.clear()

    def _add(self, cache: Cache) -> Cache:
        self._caches.append(cache)
        while len(self._caches) > SLOTS:
            self._caches.pop(0).close()
        return cache
