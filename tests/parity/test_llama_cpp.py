"""Against llama.cpp, where `llama-cpp-python` is installed: the same GGUF file gives the same choices.

Written by the `gguf` package, rotary pairs side by side, so a wrong reading of that order shows here.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gguf", reason="extra gguf is not installed")
llama_cpp = pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed")

from support.gguf_writer import SHAPE, byte_level_metadata, random_weights, write  # noqa: E402
from support.parity_runs import RUNS  # noqa: E402

from spark_tui.engine.checkpoint import load_checkpoint  # noqa: E402
from spark_tui.engine.model import Model  # noqa: E402

pytestmark = pytest.mark.parity


def their_logits(path: Path, ids: list[int]) -> np.ndarray:
    model = llama_cpp.Llama(
        str(path),
        n_ctx=128,
        n_threads=1,
        logits_all=True,
        verbose=False,
        type_k=llama_cpp.GGML_TYPE_F32,
        type_v=llama_cpp.GGML_TYPE_F32,
    )
    model.eval(ids)
    pointer = llama_cpp.llama_get_logits(model.ctx)
    flat = np.ctypeslib.as_array(
        ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float)), (len(ids) * SHAPE["vocab"],)
    )
    logits = flat.reshape(len(ids), -1).copy()
    model.close()
    return logits


@pytest.mark.parametrize(("kind", "tolerance"), [("F32", 2e-3), ("F16", 5e-3), ("Q8_0", 0.06)])
def test_a_gguf_file_gives_the_logits_of_llama_cpp(tmp_path: Path, kind: str, tolerance: float) -> None:
    """Its quantized products also round the activations, so the tolerance is that of the type."""
    path = write(tmp_path / "m.gguf", random_weights(), kind=kind, tokenizer=byte_level_metadata())
    ids = np.random.default_rng(4).integers(3, SHAPE["vocab"], 40).tolist()
    checkpoint = load_checkpoint(path)
    ours = RUNS["whole"](Model(checkpoint.arch, checkpoint.weights), ids)
    theirs = their_logits(path, ids)
    assert np.abs(ours - theirs).max() <= tolerance * max(1.0, np.abs(theirs).max())
    agreed = (ours.argmax(-1) == theirs.argmax(-1)).mean()
    assert agreed == 1.0 if kind == "F32" else agreed >= 0.9


def test_the_file_s_tokenizer_gives_the_ids_of_llama_cpp(tmp_path: Path) -> None:
    from spark_tui.engine.checkpoint import load_tokenizer

    path = write(tmp_path / "m.gguf", random_weights(), tokenizer=byte_level_metadata())
    model = llama_cpp.Llama(str(path), vocab_only=True, verbose=False)
    for text in ("def area(width: float) -> float:", "naïve 42 ", "a\n\n  b"):
        assert load_tokenizer(path).encode(text) == model.tokenize(
            text.encode(), add_bos=False, special=False
        )
    model.close()


@pytest.mark.parametrize("kind", ["Q4_K_S", "Q6_K", "Q5_K_S", "Q8_0", "F16", "BF16"])
def test_a_file_quantized_by_llama_cpp_itself_is_read(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q4_K_S mixes types within one file, as real ones do."""
    for key, value in {"d": 256, "ff": 512}.items():
        monkeypatch.setitem(SHAPE, key, value)
    full = write(tmp_path / "full.gguf", random_weights(), tokenizer=byte_level_metadata())
    settings = llama_cpp.llama_model_quantize_default_params()
    settings.ftype = getattr(llama_cpp, f"LLAMA_FTYPE_MOSTLY_{kind}")
    path = tmp_path / "small.gguf"
    assert llama_cpp.llama_model_quantize(str(full).encode(), str(path).encode(), settings) == 0
    assert path.stat().st_size < 0.65 * full.stat().st_size
    ids = np.random.default_rng(4).integers(3, SHAPE["vocab"], 30).tolist()
    checkpoint = load_checkpoint(path)
    ours = RUNS["whole"](Model(checkpoint.arch, checkpoint.weights), ids)
    theirs = their_logits(path, ids)
    assert np.abs(ours - theirs).max() <= 0.08 * np.abs(theirs).max()
    assert (ours.argmax(-1) == theirs.argmax(-1)).mean() >= 0.9
