"""The contenders: our engine and its peers, with one small common interface.

Each contender lives in a process of its own (`contender_worker.py`), so that no library's threads disturb
another's.
"""

from __future__ import annotations

from typing import Any

from spark_tui.bench.generation.times import Contender, GenerationTimes, Ids, Stopwatch
from spark_tui.errors import NoBackend

OURS, OURS_FAST = "spark", "spark [fast]"


def build(name: str, place: str, threads: int) -> Contender:
    """The contender of a name; `place` is its own file or folder (or `random:SIZE` for ours)."""
    if name in (OURS, OURS_FAST):
        return SparkContender(place, threads, fast=name == OURS_FAST)
    from spark_tui.bench.peers import engines  # a peer needs no engine of ours, and ours no peer

    if name == "transformers":
        return engines.Transformers(place, threads)
    if name.startswith("llama.cpp"):
        return engines.LlamaCpp(place, threads)
    if name.startswith("ctranslate2"):
        return engines.CTranslate2(place, threads, "int8" if name.endswith("int8") else "float32")
    if name.startswith("onnxruntime"):
        return engines.OnnxRuntime(place, threads)
    raise ValueError(f"unknown contender {name!r}")


class SparkContender(Contender):
    """Our engine, as `spark` runs it; `fast` with the compiled int8 products of the extra."""

    def __init__(self, place: str, threads: int, *, fast: bool = False) -> None:
        from spark_tui.engine import load

        self._engine = load(place, threads=threads)
        if fast and not self._engine.accelerate(wait=True):
            accelerator = self._engine.model.accelerator
            raise NoBackend(accelerator.trouble if accelerator else "the extra [fast] is not installed")

    def greedy(self, prompt: Ids, count: int) -> GenerationTimes:
        return self._run(prompt, count, None, None)

    def edit(self, prompt: Ids, truth: Ids, source: Ids) -> GenerationTimes:
        from spark_tui.engine import SuffixDrafter
        from spark_tui.engine.text.constraints import ForcedText

        return self._run(prompt, len(truth), SuffixDrafter(source), ForcedText(tuple(truth)))

    def _run(self, prompt: Ids, count: int, drafts: Any, constraint: Any) -> GenerationTimes:
        engine = self._engine
        cache = engine.new_cache()
        steps: list[Any] = []
        text: list[int] = []
        watch = Stopwatch()
        for token in engine.generate(
            list(prompt),
            count,
            draft_source=drafts,
            cache=cache,
            constraint=constraint,
            ends=(),
            on_step=steps.append,
        ):
            watch.mark()
            text.append(token.id)
        took = watch.took(text, sum(step.kind == "decode" for step in steps))
        cache.rollback(0)  # nothing stays warm for the next measurement
        cache.close()
        return took
