"""Greedy with drafts is greedy without, over real edits, in every architecture and every family.

The slow ones write ten thousand tokens each; `-s` prints how many near-ties there were.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.naive_model import VARIANTS, weights_of

from spark_tui.engine.checkpoint import load_checkpoint
from spark_tui.engine.draft import SuffixDrafter
from spark_tui.engine.engine import Engine

TESTS = Path(__file__).parents[1]
TRACES = TESTS.parent / "examples" / "traces" / "short.jsonl"
GOLDEN = TESTS / "cases" / "golden"
FAMILIES = {
    path.name.partition("-")[0]: path for path in sorted(GOLDEN.iterdir(), reverse=True) if path.is_dir()
}
"""A checkpoint of each family."""
SHOWN, ROOM = 300, 160
ENOUGH = 10_000


def write(engine: Engine, prompt: list[int], drafts: SuffixDrafter | None = None) -> list[int]:
    return [token.id for token in engine.generate(prompt, ROOM, draft_source=drafts, ends=())]


def traced(engine: Engine, tokens: int) -> tuple[int, int]:
    """Write real edits greedily, with drafts and without: tokens and differences. An id is a byte."""
    written = differences = 0
    for line in TRACES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        top = engine.arch.vocab_size
        before, task = (
            [40 + byte % (top - 45) for byte in row[key].encode()] for key in ("before", "instruction")
        )
        prompt = [*before[:SHOWN], *task[:40]]
        plain = write(engine, prompt)
        found = write(engine, prompt, SuffixDrafter(before[:SHOWN]))
        differences += sum(a != b for a, b in zip(plain, found, strict=True))
        written += len(plain)
        if written >= tokens:
            break
    return written, differences


def assert_drafts_change_nothing(engine: Engine, name: str, tokens: int) -> None:
    written, differences = traced(engine, tokens)
    print(f"{name}: {written} tokens, {differences} differences")
    assert written >= tokens
    assert differences == 0


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("tokens", [240, pytest.param(ENOUGH, marks=pytest.mark.slow)])
def test_drafts_change_nothing_on_real_edits(name: str, tokens: int) -> None:
    engine = Engine(VARIANTS[name], weights_of(VARIANTS[name]), cache_bytes=1 << 23)
    assert_drafts_change_nothing(engine, name, tokens)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("tokens", [120, pytest.param(ENOUGH, marks=pytest.mark.slow)])
def test_drafts_change_nothing_in_any_family(family: str, tokens: int) -> None:
    arch = replace(load_checkpoint(FAMILIES[family]).arch, vocab_size=131, max_positions=512)
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 23)
    assert_drafts_change_nothing(engine, family, tokens)


def test_every_family_is_among_them() -> None:
    assert set(FAMILIES) == {
        "gemma2",
        "gemma3",
        "gpt2",
        "llama",
        "mistral",
        "qwen2",
        "qwen3",
        "spark",
        "starcoder2",
    }
