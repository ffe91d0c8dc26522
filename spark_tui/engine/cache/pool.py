"""The pages of 64 keys and values that the sequences of a model share, within a memory bound.

A page has a reference count, and may also be *warm*: keyed by the hash of all ids up to its end. A warm page
without a holder is kept until its memory is needed, least recently used first out. Pages of one sequence are
allocated next to each other where possible, so that attention sees one contiguous view. Writing to a page
that is shared or warm copies it first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence as Ids
from hashlib import blake2b

import numpy as np

from spark_tui.engine.architecture import Arch
from spark_tui.engine.cache.page_selection import KeyBounds
from spark_tui.engine.cache.page_store import PageStore
from spark_tui.engine.kernels.attention import PAGE
from spark_tui.engine.kernels.panels import round_up
from spark_tui.errors import Misfit

Hash = bytes

DEFAULT_BYTES = 1 << 30
STRIDE = 512


def page_key(previous: Hash, ids: Ids[int]) -> Hash:
    """The name of a page: its ids and everything before it."""
    return blake2b(previous + np.asarray(ids, np.int64).tobytes(), digest_size=16).digest()


def padded_head(arch: Arch) -> int:
    """Head size as stored: a multiple of 16, so that every product takes the same kernel."""
    return round_up(arch.head_dim, 16)


def page_bytes(arch: Arch) -> int:
    """Of all layers, keys and values."""
    return 2 * 4 * arch.n_layers * arch.n_kv_heads * padded_head(arch) * PAGE


def pages_within(arch: Arch, max_bytes: int) -> int:
    """How many a bound has room for; a few in any case."""
    return max(4, max_bytes // page_bytes(arch))


class Pool:
    """The pages of all sequences of one model. Not thread-safe."""

    def __init__(self, arch: Arch, max_bytes: int = DEFAULT_BYTES) -> None:
        self.arch = arch
        self.head = padded_head(arch)
        self.page_bytes = page_bytes(arch)
        self.n_pages = pages_within(arch, max_bytes)
        # zeros, not empty: the system gives memory when a page is first written, and nothing unwritten is NaN
        self._memory = np.zeros(
            (self.n_pages, arch.n_layers, 2, arch.n_kv_heads, self.head * PAGE), np.float32
        )
        # All layers of a page side by side: where the system gives memory by 2 MB, a new page costs it a
        # piece or two.
        blocks = self._memory.reshape(*self._memory.shape[:-1], self.head, PAGE)
        self.keys = [blocks[:, layer, 0] for layer in range(arch.n_layers)]
        blocks = self._memory.reshape(*self._memory.shape[:-1], PAGE, self.head)
        self.values = [blocks[:, layer, 1] for layer in range(arch.n_layers)]
        self.bounds: dict[int, KeyBounds] = {}
        """For layers that select pages: what each full page's keys lie between."""
        if arch.page_select:
            chosen = [layer for layer in range(arch.n_layers) if not arch.window_of(layer)]
            self.bounds = {layer: KeyBounds(self.n_pages, arch.n_kv_heads, self.head) for layer in chosen}
        self.holders = np.zeros(self.n_pages, np.int32)
        self.warm_name: dict[int, Hash] = {}
        self._page_of: OrderedDict[Hash, int] = OrderedDict()
        self._children: dict[Hash, dict[Hash, tuple[int, ...]]] = {}
        self._parent: dict[Hash, Hash] = {}
        self._tails: set[int] = set()
        self._given_back: dict[int, None] = {}  # free, and written to before; the longest free first
        self.store: PageStore | None = None
        """Where warm pages rest when their room is needed, and when the program ends."""

    # -- taking and giving back ---------------------------------------------------------------

    def take(self, after: int = -1, *, used: bool = False) -> int:
        """A page for one holder, next to `after` if that one is free. With `used`, and where no adjacent page
        is free, a returned page is preferred to one that was never written: touching new memory takes time.
        """
        near = after + 1
        if 0 < near < self.n_pages and self._is_free(near):
            page = near
        elif (used or after >= 0) and self._given_back:
            page = next(iter(self._given_back))
        else:
            page = self._roomiest()
        if page in self._given_back:
            # What is no number shows through any mask, so a holder's must not outlast it.
            del self._given_back[page]
            self._memory[page] = 0
        self.holders[page] = 1
        self._tails.discard(after)
        self._tails.add(page)
        return page

    def hold(self, page: int) -> None:
        self.holders[page] += 1

    def release(self, page: int) -> None:
        """One holder fewer. A warm page stays until its room is needed."""
        self.holders[page] -= 1
        if self.holders[page] == 0:
            self._tails.discard(page)
            if page not in self.warm_name:
                self._given_back[page] = None

    def discard(self, page: int) -> None:
        """`release` a page whose content is of no use to anyone: nothing finds it by name any more."""
        if page in self.warm_name:
            self._forget(self.warm_name[page])
        self.release(page)

    def _is_free(self, page: int) -> bool:
        return not self.holders[page] and page not in self.warm_name

    def _roomiest(self) -> int:
        """The start of the widest free stretch, or its middle where a sequence may still grow into it."""
        taken = self.holders > 0
        if self.warm_name:
            taken[list(self.warm_name)] = True
        edges = np.flatnonzero(np.diff(np.concatenate(([True], taken, [True]))))
        if not edges.size:
            return self._evict()
        starts, stops = edges[::2], edges[1::2]
        widest = int(np.argmax(stops - starts))
        start, stop = int(starts[widest]), int(stops[widest])
        return start + (stop - start) // 2 if start - 1 in self._tails and stop - start > 2 else start

    def _evict(self) -> int:
        for name, page in self._page_of.items():
            if not self.holders[page]:
                self._rest(name, page)
                self._forget(name)
                self._given_back[page] = None
                return page
        raise Misfit(
            f"all {self.n_pages} pages of the cache ({self.n_pages * PAGE} tokens) are in use",
            hint="Raise engine.cache_mb, or close sequences.",
        )

    def own(self, page: int, after: int) -> int:
        """The page itself if it may be written, else a copy that may."""
        if self.holders[page] == 1 and page not in self.warm_name:
            return page
        copy = self.take(after, used=True)
        self._memory[copy] = self._memory[page]
        for bounds in self.bounds.values():
            bounds.copy(page, copy)
        self.release(page)
        return copy

    # -- warm prefixes ------------------------------------------------------------------------

    def publish(self, previous: Hash, ids: Ids[int], page: int) -> Hash:
        """Name a full page, so that another sequence that starts alike finds it."""
        name = page_key(previous, ids)
        if name in self._page_of:
            self._page_of.move_to_end(name)
        elif page not in self.warm_name:
            self._page_of[name] = page
            self.warm_name[page] = name
            self._parent[name] = previous
            self._children.setdefault(previous, {})[name] = tuple(ids)
        return name

    def forget(self) -> None:
        """No prefix is warm any more."""
        for name in list(self._page_of):
            self._forget(name)

    def _forget(self, name: Hash) -> None:
        del self.warm_name[self._page_of.pop(name)]
        parent = self._parent.pop(name)
        siblings = self._children[parent]
        del siblings[name]
        if not siblings:
            del self._children[parent]

    def _rest(self, name: Hash, page: int) -> bool:
        if self.store is None or name in self.store:
            return False
        parent = self._parent[name]
        ids = self._children[parent][name]
        return self.store.save(
            name, parent, ids, [keys[page] for keys in self.keys], [values[page] for values in self.values]
        )

    def persist(self) -> int:
        """Write every warm page that is not on disk yet. Returns how many were written."""
        return sum(self._rest(name, page) for name, page in list(self._page_of.items()))

    def recall(self, root: Hash, ids: Ids[int]) -> int:
        """Load pages from disk that `ids` starts with. Returns how many."""
        if self.store is None:
            return 0
        name, count = root, 0
        for at in range(0, len(ids) - PAGE + 1, PAGE):
            part = tuple(ids[at : at + PAGE])
            parent, name = name, page_key(name, part)
            if name in self._page_of:
                self._page_of.move_to_end(name)
                continue
            if name not in self.store:
                break
            try:
                page = self.take()
            except Misfit:  # no room is left: what is not found is read again
                break
            found = self.store.load(
                name, [keys[page] for keys in self.keys], [values[page] for values in self.values]
            )
            if found == part:
                for layer, bounds in self.bounds.items():
                    bounds.seal(page, self.keys[layer][page])
                self.publish(parent, part, page)
            self.release(page)
            if found != part:
                break
            count += 1
        return count

    def find(self, root: Hash, ids: Ids[int]) -> tuple[list[int], int]:
        """The warm pages that `ids` starts with, and how many tokens are equal (the last page may be so in
        part)."""
        pages: list[int] = []
        name, at = root, 0
        while at < len(ids):
            wanted = tuple(ids[at : at + PAGE])
            following = page_key(name, wanted)
            if len(wanted) == PAGE and following in self._page_of:
                self._page_of.move_to_end(following)
                pages.append(self._page_of[following])
                name, at = following, at + PAGE
                continue
            best, best_name = 0, b""
            for child, held in self._children.get(name, {}).items():
                same = common_prefix(held, wanted)
                if same > best:
                    best, best_name = same, child
            if best:
                pages.append(self._page_of[best_name])
                at += best
            break
        return pages, at


def common_prefix(a: Ids[int], b: Ids[int]) -> int:
    """Length of the common start of two lists of ids."""
    n, start = min(len(a), len(b)), 0
    while start < n and list(a[start : start + STRIDE]) == list(b[start : start + STRIDE]):
        start += STRIDE
    for at in range(start, n):
        if a[at] != b[at]:
            return at
    return n
