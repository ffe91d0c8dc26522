"""Pages: the bound, who holds what, warm prefixes, and pages at rest."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from support.cache_integrity import check_pool
from support.naive_model import SPARK, TINY, ids_of, weights_of

from spark_tui.engine.cache.page_store import HEADER, PageStore, quantize
from spark_tui.engine.cache.pool import Pool, page_key
from spark_tui.engine.cache.sequence import Sequence
from spark_tui.engine.engine import Engine
from spark_tui.engine.kernels.attention import PAGE
from spark_tui.engine.model import BatchJob, Model
from spark_tui.errors import Misfit

MODEL = Model(TINY, weights_of(TINY))
PAGE_BYTES = Pool(TINY, 1).page_bytes


class Books(RuleBasedStateMachine):
    """Any order of steps on a small pool: the books agree, and what a sequence holds is what it read."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = Pool(TINY, 24 * PAGE_BYTES)
        self.open: list[Sequence] = []
        self.text = ids_of(TINY, 400)

    def _write(self, sequence: Sequence, ids: list[int]) -> None:
        """What a pass does to the cache, with content that tells the position and the id."""
        for page, offset, row, count in sequence.reserve(len(ids)):
            for at in range(count):
                mark = (sequence.length + row + at) * 1000 + ids[row + at]
                self.pool.keys[0][page, :, :, offset + at] = mark
                self.pool.values[-1][page, :, offset + at] = mark
        sequence.tags.extend(ids)
        sequence.ids.extend(ids)

    @rule(data=st.data(), kind=st.sampled_from(["same", "other"]), count=st.integers(1, 150))
    def extend(self, data: st.DataObject, kind: str, count: int) -> None:
        if not self.open or (len(self.open) < 3 and data.draw(st.booleans())):
            sequence = Sequence(self.pool)
            if data.draw(st.booleans()):
                sequence.adopt(self.text[: data.draw(st.integers(1, 400))])
            self.open.append(sequence)
        sequence = data.draw(st.sampled_from(self.open))
        begin = sequence.length
        ids = self.text[begin : begin + count] if kind == "same" else [count % 90] * count
        if sequence.length + len(ids) > 300 or not ids:
            return
        free = sum(1 for page in range(self.pool.n_pages) if not self.pool.holders[page])
        if free < len(ids) // PAGE + 3:
            return
        self._write(sequence, ids)

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def truncate(self, data: st.DataObject) -> None:
        sequence = data.draw(st.sampled_from(self.open))
        sequence.truncate(data.draw(st.integers(0, sequence.length)))

    @precondition(lambda self: 0 < len(self.open) < 4)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        self.open.append(data.draw(st.sampled_from(self.open)).fork())

    @precondition(lambda self: self.open)
    @rule(data=st.data(), publish=st.booleans())
    def close(self, data: st.DataObject, publish: bool) -> None:
        sequence = data.draw(st.sampled_from(self.open))
        if publish:
            sequence.publish()
        self.open.remove(sequence)
        sequence.close()

    @invariant()
    def books_agree(self) -> None:
        check_pool(self.pool, self.open)
        if not self.open:
            assert not self.pool.holders.any()

    @invariant()
    def content_is_what_was_read(self) -> None:
        for sequence in self.open:
            for position in range(0, sequence.length, 7):
                mark = position * 1000 + sequence.ids[position]
                page, offset = sequence.pages[position // PAGE], position % PAGE
                assert self.pool.keys[0][page, 0, 0, offset] == mark
                assert self.pool.values[-1][page, 1, offset, 3] == mark


Books.TestCase.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
TestBooks = Books.TestCase


class LongBooks(Books):
    """The same, long."""


LongBooks.TestCase.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)


@pytest.mark.slow
class TestLongBooks(LongBooks.TestCase):  # type: ignore[misc, name-defined]
    """See `Books`."""


def test_one_sequence_grows_side_by_side() -> None:
    pool = Pool(TINY, 64 * PAGE_BYTES)
    first, second = Sequence(pool), Sequence(pool)
    for _ in range(12):
        first.reserve(PAGE)
        MODEL.forward([BatchJob(first, [5] * 30, 0)])
        MODEL.forward([BatchJob(second, [6] * 30, 0)])
    assert len(first.ranges()) == 1 and len(second.ranges()) == 1


def test_a_copy_is_written_to_a_page_that_was_given_back() -> None:
    pool = Pool(TINY, 64 * PAGE_BYTES)
    one = Sequence(pool)
    one.reserve(PAGE // 2)
    one.ids = ids_of(TINY, PAGE // 2)
    one.tags.extend(one.ids)
    used = set(one.pages)
    for _ in range(5):
        fork = one.fork()
        fork.reserve(1)
        assert fork.pages != one.pages
        used.update(fork.pages)
        check_pool(pool, [one, fork])
        fork.close()
    assert len(used) == 2


def test_the_bound_holds_and_the_least_recently_used_prefix_goes_first() -> None:
    pool = Pool(TINY, 6 * PAGE_BYTES)
    texts = [ids_of(TINY, 2 * PAGE, seed=seed) for seed in range(3)]
    for text in texts:
        sequence = Sequence(pool)
        MODEL.forward([BatchJob(sequence, text, 0)])
        sequence.publish()
        sequence.close()
    assert pool.find(Sequence.root_of(0), texts[0])[1] == 2 * PAGE  # and now it is the latest
    sequence = Sequence(pool)
    MODEL.forward([BatchJob(sequence, ids_of(TINY, PAGE, seed=9), 0)])
    assert pool.find(Sequence.root_of(0), texts[0])[1] == 2 * PAGE
    assert pool.find(Sequence.root_of(0), texts[1])[1] < 2 * PAGE
    with pytest.raises(Misfit, match="all 6 pages of the cache"):
        MODEL.forward([BatchJob(sequence, [1] * 400, 0)])


def test_a_prefix_is_known_by_everything_before_it() -> None:
    a, b = list(range(PAGE)), list(range(PAGE, 2 * PAGE))
    root = Sequence.root_of(0)
    assert page_key(page_key(root, a), b) != page_key(page_key(root, b), b)
    assert page_key(root, a) != page_key(Sequence.root_of(1), a)


def test_quantized_vectors_keep_their_direction() -> None:
    block = np.random.default_rng(0).standard_normal((3, 5, 64)).astype(np.float32)
    block[1, 2] = 0
    packed, scale = quantize(block)
    assert np.abs(packed * scale - block).max() <= np.abs(block).max() / 254 + 1e-7


@pytest.mark.parametrize("exact", [False, True])
def test_pages_at_rest_survive_a_restart(tmp_path: Path, exact: bool) -> None:
    prompt = ids_of(SPARK, 300)
    first = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 22)
    plain = [token.id for token in first.generate(prompt, 20, ends=())]
    truth = first.logits(prompt)
    first.rest_in(tmp_path, exact=exact)
    cache = first.new_cache()
    first.warm(prompt, cache)
    cache.publish()
    assert first.persist() == 4
    assert first.persist() == 0
    first.close_store()

    second = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 22)
    second.rest_in(tmp_path, exact=exact)
    again = second.new_cache()
    found = [token.id for token in second.generate(prompt, 20, ends=(), cache=again)]
    assert second.counts.reused == 4 * PAGE
    if exact:
        assert found == plain
    again.rollback(4 * PAGE)
    sequence = again.prepare(prompt)
    logits = second.model.forward([BatchJob(sequence, prompt[sequence.length :], 10)])
    error = np.abs(logits - truth[-10:]).max()
    assert error < (1e-4 if exact else 0.15)
    check_pool(second.pool)
    second.close_store()


def test_pages_at_rest_belong_to_one_model_and_to_their_content(tmp_path: Path) -> None:
    prompt = ids_of(TINY, 200)
    engine = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22)
    engine.rest_in(tmp_path)
    list(engine.generate(prompt, 2))
    assert engine.persist() == 3
    engine.close_store()
    other = Engine(TINY, weights_of(TINY, seed=1), cache_bytes=1 << 22)
    other.rest_in(tmp_path)
    list(other.generate(prompt, 2))
    assert other.counts.reused == 0
    other.close_store()
    changed = [*prompt[:70], 7, *prompt[71:]]
    fresh = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22)
    fresh.rest_in(tmp_path)
    list(fresh.generate(changed, 2))
    assert fresh.counts.reused == PAGE
    fresh.close_store()


@pytest.mark.parametrize("name", sorted(set(weights_of(SPARK)) - {"final_norm.w"}))
def test_every_weight_that_keys_depend_on_is_in_the_name_of_their_model(name: str) -> None:
    changed = weights_of(SPARK)
    changed[name] = changed[name] * np.float32(1.01) + np.float32(0.01)
    assert Model(SPARK, changed).fingerprint() != Model(SPARK, weights_of(SPARK)).fingerprint()


def test_a_file_that_another_process_cuts_holds_no_pages(tmp_path: Path) -> None:
    """It ended this process, where the file was read through a map."""
    pool = Pool(TINY, 1 << 20)
    keys, values = [k[0] for k in pool.keys], [v[0] for v in pool.values]
    name = page_key(b"", [1] * PAGE)
    writer = PageStore(tmp_path, TINY, 16, "x")
    assert writer.save(name, b"p" * 16, (1,) * PAGE, keys, values)
    reader = PageStore(tmp_path, TINY, 16, "x")
    assert reader.load(name, keys, values) == (1,) * PAGE
    os.truncate(writer.path, 0)
    assert reader.load(name, keys, values) is None
    assert name not in reader
    writer.close()
    reader.close()


def test_a_damaged_slot_is_not_found_and_another_process_only_reads(tmp_path: Path) -> None:
    prompt = ids_of(TINY, 200)
    engine = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22)
    engine.rest_in(tmp_path)
    list(engine.generate(prompt, 2))
    engine.persist()
    store = engine.pool.store
    assert store is not None
    reader = PageStore(tmp_path, TINY, 16, engine.model.fingerprint())
    assert len(reader) == 3 and not reader.writable
    reader.close()
    reader.close()
    engine.close_store()
    size = store.slot_bytes
    raw = bytearray(store.path.read_bytes())
    for slot in range(len(raw) // size):
        if raw[slot * size : slot * size + 4] == b"SPKV":
            raw[slot * size + 2000] ^= 1
    store.path.write_bytes(bytes(raw))
    fresh = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22)
    fresh.rest_in(tmp_path)
    list(fresh.generate(prompt, 2))
    assert fresh.counts.reused == 0
    check_pool(fresh.pool)
    fresh.close_store()


def test_pages_that_lose_their_room_come_back_from_rest(tmp_path: Path) -> None:
    engine = Engine(TINY, weights_of(TINY), cache_bytes=8 * PAGE_BYTES)
    engine.rest_in(tmp_path)
    texts = [ids_of(TINY, 3 * PAGE + 5, seed=seed) for seed in range(4)]
    for text in texts:
        list(engine.generate(text, 2))
    list(engine.generate(texts[0], 2))
    assert engine.counts.reused == 3 * PAGE
    check_pool(engine.pool)
    engine.close_store()


def test_where_no_room_is_left_nothing_comes_back_from_rest(tmp_path: Path) -> None:
    engine = Engine(TINY, weights_of(TINY), cache_bytes=8 * PAGE_BYTES)
    engine.rest_in(tmp_path)
    text = ids_of(TINY, 3 * PAGE + 5)
    list(engine.generate(text, 2))
    engine.persist()
    engine.pool.forget()
    others = [engine.new_cache() for _ in range(2)]
    for seed, cache in enumerate(others, 1):
        engine.warm(ids_of(TINY, 4 * PAGE - 1, seed=seed), cache)
    root = engine.root(0)
    assert engine.pool.recall(root, text) == 0
    others[0].drop()
    assert engine.pool.recall(root, text) == 3
    check_pool(engine.pool)
    engine.close_store()


def test_the_store_holds_to_its_bound(tmp_path: Path) -> None:
    store = PageStore(tmp_path, TINY, 16, "x", max_bytes=1 << 16)
    pool = Pool(TINY, 1 << 20)
    keys, values = [k[0] for k in pool.keys], [v[0] for v in pool.values]
    names = [page_key(b"", [index] * PAGE) for index in range(store.n_slots + 3)]
    for index, name in enumerate(names):
        assert store.save(name, b"p" * 16, (index,) * PAGE, keys, values)
        store.load(names[0], keys, values)
    assert len(store) == store.n_slots
    assert names[0] in store and names[1] not in store and names[-1] in store
    assert store.load(names[-1], keys, values) == (len(names) - 1,) * PAGE
    store.close()


def test_a_full_disk_keeps_no_page_and_a_damaged_clock_is_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = Pool(TINY, 1 << 20)
    keys, values = [k[0] for k in pool.keys], [v[0] for v in pool.values]
    name = page_key(b"", [1] * PAGE)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    store = PageStore(tmp_path, TINY, 16, "x")
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        assert not store.save(name, b"p" * 16, (1,) * PAGE, keys, values)
    assert name not in store and len(store._free) == store.n_slots
    assert store.save(name, b"p" * 16, (1,) * PAGE, keys, values)
    slot = store._slots[name]
    store.close()
    with store.path.open("r+b") as file:
        file.seek(slot * store.slot_bytes + HEADER.size - 8)
        file.write(b"\xff" * 8)
    again = PageStore(tmp_path, TINY, 16, "x")
    assert len(again) == 0 and again.save(name, b"p" * 16, (1,) * PAGE, keys, values)
    again.close()


def test_a_store_is_found_again_where_the_file_system_does_not_tell_holes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = Pool(TINY, 1 << 20)
    keys, values = [k[0] for k in pool.keys], [v[0] for v in pool.values]
    names = [page_key(b"", [index] * PAGE) for index in range(3)]
    store = PageStore(tmp_path, TINY, 16, "x")
    for index, name in enumerate(names):
        store.save(name, b"p" * 16, (index,) * PAGE, keys, values)
    store.close()

    def refuse(*_: int) -> int:
        raise OSError(errno.EINVAL, "no such way to seek")

    for seek in (os.lseek, refuse):
        monkeypatch.setattr(os, "lseek", seek)
        again = PageStore(tmp_path, TINY, 16, "x")
        assert len(again) == 3 and len(again._free) == again.n_slots - 3
        assert all(name in again for name in names)
        again.close()
