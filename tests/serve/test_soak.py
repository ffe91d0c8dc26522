"""A day's worth of turns on a model: memory, descriptors and threads stay where they were.

`pytest -m slow tests/serve/test_soak.py -s` runs 100,000 turns and prints what it saw after each tenth.
"""

import gc
import random
import threading
import time
from pathlib import Path

import pytest
from support.cache_integrity import check_pool
from support.serving import Raw, serving, text_of, until
from support.tiny_models import chat_backend

from spark_tui.serve.batching.batch_engine import BatchEngine
from spark_tui.serve.limits import ServerLimits

TOKENS = 8
ENDS = ("response.completed", "response.incomplete", "response.failed", "error")


def standing():
    """Open files, threads and resident bytes of this process: server, engine and clients."""
    files = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return files, threading.active_count(), int(Path("/proc/self/statm").read_text().split()[1]) * 4096


class Crowd:
    """Four connections that talk, follow up, cancel, leave in the middle and come back."""

    def __init__(self, live):
        self.live = live
        self.chance = random.Random(5)
        self.clients = [Raw(live) for _ in range(4)]
        self.previous = [None] * 4
        self.tokens = 0

    def turns(self, count):
        for number in range(count):
            at = number % len(self.clients)
            self._turn(at, self.chance.random())

    def _turn(self, at, luck):
        client, body = self.clients[at], {"max_tokens": TOKENS, "instruction": f"say {luck:.3f}"}
        event = {"type": "response.create", "spark": body}
        if self.previous[at] and luck < 0.7:
            body["follow"], event["previous_response_id"] = True, self.previous[at]
        client.send(**event)
        if luck > 0.99:
            self._leave(at)
            return
        last = client.next()
        if last["type"] == "error":
            # The one before has grown old or was left: begin anew.
            self.previous[at] = None
            return
        name = last.get("response_id") or last["response"]["id"]
        if last["type"] not in ENDS:
            if luck > 0.97:
                client.send(type="response.cancel", response_id=name)
            self.tokens += len(last.get("tokens", ()))
            *came, last = client.until(*ENDS)
            self.tokens += sum(len(event.get("tokens", ())) for event in came)
        assert last["type"] != "response.failed", last
        assert last["type"] != "error", last
        self.tokens += len(last.get("tokens", ()))
        # A talk of six turns, then another: the window of the tiny model takes no more.
        self.previous[at] = name if self.chance.random() < 0.85 else None

    def _leave(self, at):
        self.live.clients.remove(self.clients[at])
        self.clients[at].close()
        self.clients[at], self.previous[at] = Raw(self.live), None


@pytest.mark.parametrize("turns", [400, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_long_run_on_a_model_leaves_memory_and_descriptors_flat(turns):
    limits = ServerLimits(store_bytes=2_000_000, queued=256)
    engine = BatchEngine(chat_backend())
    try:
        with serving(engine, limits=limits) as live:
            crowd = Crowd(live)
            # The bounded stores, the cache's pages and the drafts' tables fill up first.
            crowd.turns(max(turns // 10, 300))
            before, begun, seen = standing(), time.monotonic(), []
            for _ in range(10):
                crowd.turns(turns // 10)
                seen.append(standing())
                print(f"{seen[-1][0]} files, {seen[-1][1]} threads, {seen[-1][2] / 1e6:.1f} MB")
            seconds = time.monotonic() - begun
            print(
                f"{turns} turns, {crowd.tokens} tokens in all, {turns / seconds:.0f} turns/s, from {before}"
            )
            until(lambda: not live.context.registry.running)
            until(lambda: standing()[0] <= before[0])
            # Threads for turns are started when they are needed, up to the bound of turns that run.
            assert standing()[1] <= before[1] + limits.active
            # A turn that left one small object behind would show: 100,000 of them do not fit in here.
            assert max(memory for _, _, memory in seen) - before[2] < 12 << 20
            until(lambda: live.context.registry.store.bytes <= limits.store_bytes)
            check_pool(engine._engine.pool)
            assert text_of(Raw(live).turn(input="still here", max_output_tokens=TOKENS))
    finally:
        engine.close()


@pytest.mark.parametrize(
    "body", [{"spark": {"instruction": "x", "max_tokens": 4}}, {"input": "x"}], ids=["lean", "plain"]
)
def test_a_turn_leaves_nothing_to_the_collector(body):
    """The server asks it to look rarely, so what is done with must go by itself."""
    engine = BatchEngine(chat_backend())
    try:
        with serving(engine, limits=ServerLimits(store_bytes=50_000, output_tokens=4)) as live:
            client = Raw(live)

            def run(count):
                for _ in range(count):
                    client.send(type="response.create", **body)
                    client.until(*ENDS)

            run(20)
            gc.collect()
            gc.disable()
            run(60)
            assert gc.collect() < 60
    finally:
        gc.enable()
        engine.close()
