"""`spark models` and `spark generate` say what is there, what is wrong, and stop when they are told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from support.tokenizers_by_kind import byte_level

from spark_tui.cli.main import main
from spark_tui.engine.architecture import weight_shapes
from spark_tui.engine.checkpoint import read_architecture

GOLDEN = Path(__file__).resolve().parent.parent / "cases" / "golden"


def last_json(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found: dict[str, object] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return found


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A llama of a few thousand weights with a tokenizer: small enough to write in a test."""
    folder = tmp_path / "small"
    folder.mkdir()
    byte_level().save(str(folder / "tokenizer.json"))
    config = {
        "model_type": "llama",
        "vocab_size": byte_level().get_vocab_size(),
        "hidden_size": 16,
        "intermediate_size": 24,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "max_position_embeddings": 256,
        "tie_word_embeddings": True,
        "eos_token_id": 1,
    }
    (folder / "config.json").write_text(json.dumps(config))
    _, arch, family = read_architecture(folder)
    rng = np.random.default_rng(0)
    sources = family.sources(arch)
    tensors = {
        sources[name].name: (rng.normal(size=shape) * 0.4 + ("norm" in name)).astype(np.float32)
        for name, shape in weight_shapes(arch).items()
    }
    save_file(tensors, folder / "model.safetensors")
    return folder


def test_a_folder_of_models_is_listed_with_the_broken_ones(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text('{"model_type": "mamba"}')
    assert main(["models", "list", str(tmp_path), "--json"]) == 0
    rows = last_json(capsys)["models"]
    assert isinstance(rows, list)
    found = {row["name"]: row for row in rows}
    assert found["small"]["usable"] and "llama" in found["small"]["summary"]
    assert not found["broken"]["usable"] and "'mamba'" in found["broken"]["summary"]
    assert model.name == "small"


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json"])
def test_a_list_names_the_file_that_was_cut_off(
    model: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (model / file).read_bytes()
    (model / file).write_bytes(whole[: len(whole) // 2])
    assert main(["models", "list", str(model)]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("small"))
    assert f"cannot be used: {file}: " in row and "again." in row


def test_info_reads_no_weights(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (model / "model.safetensors").write_bytes(b"not read")
    assert main(["models", "info", str(model), "--json"]) == 0
    facts = last_json(capsys)
    assert (facts["family"], facts["window"], facts["layers"], facts["ends"]) == ("llama", 256, 1, [1])
    assert facts["chat_template"] is False


def test_check_reads_and_runs_everything(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "check", str(model), "--json"]) == 0
    result = last_json(capsys)
    assert result["ok"] is True
    checks = result["checks"]
    assert isinstance(checks, list)
    found = {check["check"]: check["ok"] for check in checks}
    assert found["weights"] and found["tokenizer"] and found["forward pass"]
    assert found.get("transformers") is not False


def test_check_fails_on_a_damaged_model_and_says_why(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = model / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-8])
    assert main(["models", "check", str(model)]) == 1
    assert "ends at byte" in capsys.readouterr().out


def test_a_model_without_a_tokenizer_can_still_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(GOLDEN / "spark-all", tmp_path / "m", ignore=shutil.ignore_patterns("golden.npz"))
    assert main(["models", "check", str(tmp_path / "m")]) == 0
    assert "can only be benchmarked" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["models", "info", "nobody"], ["models", "check", "nobody/at/all"]])
def test_a_model_that_is_not_there_is_no_backend(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 6
    assert "no such model" in capsys.readouterr().err


def test_generate_writes_text_and_the_same_again(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "def area(", "--model", str(model), "--max-tokens", "12"]
    assert main(words) == 0
    first = capsys.readouterr()
    assert "12 written" in first.err
    assert main([*words, "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    tokens = [event for event in events if event["type"] == "Token"]
    assert len(tokens) == 12
    assert "".join(token["text"] for token in tokens) + "\n" == first.out


def test_generate_reads_its_prompt_from_stdin(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("def area("))
    assert main(["generate", "-", "--model", str(model), "--max-tokens", "3"]) == 0
    assert "3 written" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["generate", ""],
        ["generate", "x", "--max-tokens", "0"],
        ["generate", "x", "--temperature", "-1"],
        ["generate", "x", "--temperature", "nan"],
    ],
)
def test_generate_refuses_what_makes_no_sense(words: list[str]) -> None:
    assert main(words) == 2


def test_generate_stops_at_an_interrupt_with_what_it_wrote(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import os
    import signal
    import time

    from spark_tui.engine.generate import Loop

    whole = Loop.step
    passes = []

    def step(self: Loop, *args: object, **more: object) -> None:
        passes.append(1)
        if len(passes) == 5:
            os.kill(os.getpid(), signal.SIGINT)
        if len(passes) >= 5:
            time.sleep(0.02)  # the interrupted thread has to come to its handler, on a busy machine too
        whole(self, *args, **more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Loop, "step", step)
        assert main(["generate", "def area(", "--model", str(model), "--max-tokens", "200"]) == 130
    assert 5 <= len(passes) < 200
    assert capsys.readouterr().out
