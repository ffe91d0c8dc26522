"""A GGUF file gives the weights and ids that went into it, and a damaged one is an error, not a loop."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

gguf = pytest.importorskip("gguf", reason="extra gguf is not installed")

from support.gguf_writer import SHAPE, byte_level_metadata, random_weights, write  # noqa: E402
from support.tokenizers_by_kind import LINES, byte_level, space_marks  # noqa: E402

from spark_tui.engine.cache.sequence import Sequence  # noqa: E402
from spark_tui.engine.checkpoint import load_checkpoint, load_tokenizer  # noqa: E402
from spark_tui.engine.families.tensor_names import TensorSource  # noqa: E402
from spark_tui.engine.formats.gguf import _weight, architecture_of  # noqa: E402
from spark_tui.engine.formats.gguf_file import GgufFile  # noqa: E402
from spark_tui.engine.formats.gguf_tokenizer import gguf_tokenizer  # noqa: E402
from spark_tui.engine.formats.weights import TensorEntry  # noqa: E402
from spark_tui.engine.model import BatchJob, Model  # noqa: E402
from spark_tui.engine.tokenizer import Tokenizer  # noqa: E402
from spark_tui.errors import MalformedInput, Misfit, SparkError  # noqa: E402


@pytest.mark.parametrize(
    ("kind", "error"), [("F32", 0.0), ("F16", 1e-3), ("BF16", 5e-3), ("Q8_0", 5e-3), ("Q4_0", 0.126)]
)
def test_weights_come_back_within_the_error_of_their_type(tmp_path: Path, kind: str, error: float) -> None:
    weights = random_weights()
    loaded = load_checkpoint(write(tmp_path / "m.gguf", weights, kind=kind))
    assert set(loaded.weights) == set(weights)
    for name, values in weights.items():
        assert np.abs(loaded.weights[name] - values).max() <= error * np.abs(values).max(), name


def test_the_metadata_is_the_configuration(tmp_path: Path) -> None:
    arch = load_checkpoint(write(tmp_path / "m.gguf", random_weights())).arch
    assert (arch.family, arch.d_model, arch.n_layers, arch.n_heads, arch.n_kv_heads, arch.d_ff) == (
        "llama",
        SHAPE["d"],
        SHAPE["layers"],
        SHAPE["heads"],
        SHAPE["keys"],
        SHAPE["ff"],
    )
    assert (arch.vocab_size, arch.max_positions, arch.norm_eps) == (SHAPE["vocab"], 128, pytest.approx(1e-5))
    assert arch.ropes[0].theta == 5000.0
    assert arch.tied_head


def test_written_rotary_divisors_become_part_of_the_rope(tmp_path: Path) -> None:
    divisors = np.linspace(1, 8, SHAPE["d"] // SHAPE["heads"] // 2).astype(np.float32)
    path = write(tmp_path / "m.gguf", random_weights(), extra={"rope_freqs.weight": divisors})
    (rope,) = load_checkpoint(path).arch.ropes
    assert rope.short_factor == rope.long_factor == tuple(divisors.tolist())
    assert (rope.attention_factor, rope.factor) == (1.0, 1.0)


def test_a_byte_level_vocabulary_gives_the_ids_of_its_json(tmp_path: Path) -> None:
    metadata = byte_level_metadata()
    file = GgufFile(write(tmp_path / "m.gguf", random_weights(), tokenizer=metadata))
    read = gguf_tokenizer(file.metadata, "here")
    original = Tokenizer(byte_level())
    for line in LINES:
        ids = read.encode(line)
        assert read.decode(ids) == line
        expected = original.encode(line)
        if max(expected) < SHAPE["vocab"]:
            assert ids == expected
    assert read.special_texts == {"<s>": 0, "</s>": 1, "<|user|>": 2}
    assert read.configured_token("eos_token") == "</s>"
    assert len(read.encode("<|user|>")) > 1


def test_a_scored_vocabulary_joins_the_best_pair_first() -> None:
    backend = space_marks()
    vocab = backend.get_vocab(with_added_tokens=True)
    tokens = sorted(vocab, key=vocab.__getitem__)
    kinds = [
        2 if t == "<unk>" else 3 if t in ("<s>", "</s>") else 6 if t.startswith("<0x") else 1 for t in tokens
    ]
    ranks = {piece: -float(place) for place, piece in enumerate(["▁d", "re", "▁re", "th"])}
    metadata = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.scores": [ranks.get(token, -100.0) for token in tokens],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }
    read, original = gguf_tokenizer(metadata, "here"), Tokenizer(backend)
    for line in LINES:
        assert read.encode(line) == original.encode(line)
        stream = read.stream()
        assert "".join(stream.push(token) for token in read.encode(line)) + stream.flush() == line


def test_a_template_in_the_file_is_the_chat_template(tmp_path: Path) -> None:
    metadata = {**byte_level_metadata(), "template": "{{ bos_token }}{{ messages[0].content }}"}
    file = GgufFile(write(tmp_path / "m.gguf", random_weights(), tokenizer=metadata))
    read = gguf_tokenizer(file.metadata, "here")
    assert read.encode_chat([{"role": "user", "content": "hi"}]) == [0, *read.encode("hi")]


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"tokenizer.ggml.model": "bert"}, Misfit, "'bert' is not supported"),
        ({"tokenizer.ggml.pre": "martian"}, Misfit, "'martian' is not supported"),
        ({"tokenizer.ggml.tokens": 3}, MalformedInput, "not a list of strings"),
        ({"tokenizer.ggml.token_type": [1]}, MalformedInput, "1 token types for"),
        ({"tokenizer.ggml.merges": ["ab"]}, MalformedInput, "is not a pair"),
        ({"tokenizer.ggml.merges": ["nobody knows"]}, MalformedInput, "do not agree"),
    ],
)
def test_a_vocabulary_that_is_not_known_is_refused(
    changes: dict[str, Any], error: type[SparkError], says: str
) -> None:
    parts = byte_level_metadata()
    metadata = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": parts["tokens"],
        "tokenizer.ggml.token_type": parts["kinds"],
        "tokenizer.ggml.merges": parts["merges"],
    }
    with pytest.raises(error) as caught:
        gguf_tokenizer({**metadata, **changes}, "here")
    assert says in caught.value.what


def test_the_tokenizer_of_a_file_is_found_by_its_path(tmp_path: Path) -> None:
    path = write(tmp_path / "m.gguf", random_weights(), tokenizer=byte_level_metadata())
    assert load_tokenizer(path).encode(LINES[0])
    byte_level().save(str(tmp_path / "tokenizer.json"))
    assert load_tokenizer(tmp_path).encode(LINES[0])


def test_a_turn_ends_where_its_vocabulary_spells_it(tmp_path: Path) -> None:
    """The end that the file names is that of a document; a chat's is known by its spelling."""
    tokenizer = byte_level_metadata()
    tokenizer["tokens"][290] = "<end_of_turn>"
    path = write(tmp_path / "m.gguf", random_weights(), tokenizer=tokenizer)
    assert load_checkpoint(path).arch.eos_ids == (1, 290)
    file = GgufFile(path)
    file.metadata |= {"tokenizer.ggml.eot_token_id": 7, "tokenizer.ggml.tokens": [[], 3]}
    assert architecture_of(file).eos_ids == (1, 7)


def test_a_llama_may_have_biases_for_its_queries_alone(tmp_path: Path) -> None:
    size = SHAPE["d"] // SHAPE["heads"]
    plain = write(tmp_path / "plain.gguf", random_weights())
    rows = {"q": SHAPE["d"], "k": SHAPE["keys"] * size, "v": SHAPE["keys"] * size}
    extra = {
        f"blk.{layer}.attn_{name}.bias": np.full(count, 0.5, np.float32)
        for layer in range(SHAPE["layers"])
        for name, count in rows.items()
    }
    biased = load_checkpoint(write(tmp_path / "biased.gguf", random_weights(), extra=extra))
    assert (biased.arch.bias_qkv, biased.arch.bias_o) == (True, False)
    ours = Model(biased.arch, biased.weights)
    without = load_checkpoint(plain)
    pool = ours.new_pool(1 << 20)
    logits = ours.forward([BatchJob(Sequence(pool), [1, 2, 3])]).copy()
    assert not np.allclose(
        logits, Model(without.arch, without.weights).forward([BatchJob(Sequence(pool), [1, 2, 3])])
    )


def test_a_tensor_of_no_rows_is_refused_by_its_shape(tmp_path: Path) -> None:
    path = write(tmp_path / "m.gguf", random_weights(), kind="Q8_0", drop="blk.0.ffn_up")
    file = GgufFile(path)
    file.tensors["blk.0.ffn_up.weight"] = TensorEntry("blk.0.ffn_up.weight", "Q8_0", (0, 64), 0, 0)
    with pytest.raises(MalformedInput, match=r"the shape \[0, 64\], expected \[96, 64\]"):
        _weight(file, TensorSource("blk.0.ffn_up.weight", (96, 64)))


def test_a_piece_that_is_a_token_of_llama_3_stays_whole_where_no_merges_lead_to_it() -> None:
    parts = byte_level_metadata()
    parts["tokens"][290] = "whole"
    metadata = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": parts["tokens"],
        "tokenizer.ggml.merges": parts["merges"][:10],
    }
    assert gguf_tokenizer({**metadata, "tokenizer.ggml.pre": "llama-bpe"}, "here").encode("whole") == [290]
    assert 290 not in gguf_tokenizer({**metadata, "tokenizer.ggml.pre": "qwen2"}, "here").encode("whole")


@pytest.mark.parametrize(
    ("said", "begun"),
    [
        ({"tokenizer.ggml.pre": "llama-bpe"}, True),
        ({"tokenizer.ggml.pre": "llama-bpe", "tokenizer.ggml.add_bos_token": False}, False),
        ({"tokenizer.ggml.pre": "qwen2"}, False),
        ({"tokenizer.ggml.pre": "qwen2", "tokenizer.ggml.add_bos_token": True}, True),
        ({"tokenizer.ggml.pre": "qwen2", "tokenizer.ggml.bos_token_id": 10**6}, False),
    ],
)
def test_a_raw_prompt_begins_as_the_file_says(said: dict[str, Any], begun: bool) -> None:
    parts = byte_level_metadata()
    metadata = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": parts["tokens"],
        "tokenizer.ggml.token_type": parts["kinds"],
        "tokenizer.ggml.merges": parts["merges"],
        "tokenizer.ggml.bos_token_id": 0,
    }
    read = gguf_tokenizer({**metadata, **said}, "here")
    assert read.encode_prompt("x = 1") == [*([0] if begun else []), *read.encode("x = 1")]


def test_missing_and_unknown_parts_are_named(tmp_path: Path) -> None:
    with pytest.raises(MalformedInput, match=r"1 of 20 tensors are missing: blk\.1\.ffn_up\.weight"):
        load_checkpoint(write(tmp_path / "m.gguf", random_weights(), drop="blk.1.ffn_up"))
    writer = gguf.GGUFWriter(str(tmp_path / "other.gguf"), "mamba")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    with pytest.raises(Misfit, match="'mamba' is not supported"):
        load_checkpoint(tmp_path / "other.gguf")


HEADER = b"GGUF" + struct.pack("<I", 3)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "cannot be mapped"),
        (b"GGML" + bytes(40), "is not a GGUF file"),
        (b"GGUF" + struct.pack("<I", 9), "version 9"),
        (HEADER + struct.pack("<QQ", 1 << 60, 0), "the header asks for"),
        (HEADER + struct.pack("<QQ", 0, 1 << 60), "the header asks for"),
        (HEADER + struct.pack("<QQQ", 0, 1, 1 << 62), "the header asks for"),
        (HEADER + struct.pack("<QQQ1sI", 0, 1, 1, b"k", 99), "type number 99"),
        (HEADER + struct.pack("<QQQ1sIIQ", 0, 1, 1, b"k", 9, 0, 1 << 60), "the header asks for"),
        (HEADER + struct.pack("<QQQ1sIIQ", 0, 1, 1, b"k", 9, 8, 1 << 60), "an array claims"),
        (HEADER + struct.pack("<QQQ1sI", 1, 0, 1, b"w", 99), "99 dimensions"),
        (HEADER + struct.pack("<QQQ1sIQIQ", 1, 0, 1, b"w", 1, 8, 0, 64), "ends at byte"),
        (HEADER + struct.pack("<QQQ1sIQIQ", 1, 0, 1, b"w", 1, 1 << 62, 0, 0), "ends at byte"),
        (HEADER + struct.pack("<QQQ1sIQIQ", 1, 0, 1, b"w", 1, 8, 77, 0), "type number 77"),
        (HEADER + struct.pack("<QQQ1sIQIQ", 1, 0, 1, b"w", 1, 8, 8, 0), "needs multiples of 32"),
    ],
)
def test_a_damaged_header_is_an_error(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    with pytest.raises(SparkError) as caught:
        GgufFile(path)
    assert says in caught.value.what


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_file_changed_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    import tempfile

    raw = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, 700))] = data.draw(st.integers(0, 255))
    del raw[data.draw(st.integers(0, len(raw))) :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.gguf"
        path.write_bytes(raw)
        with contextlib.suppress(SparkError):
            load_checkpoint(path)


def _whole() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return write(Path(folder) / "m.gguf", random_weights()).read_bytes()


WHOLE = _whole()
