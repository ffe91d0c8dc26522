"""The whole pipeline, small: data, training, export, and the numpy engine gives the torch model's logits."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tag_rows import tag_rows

from spark_tui.workspace import json_lines

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from spark_tui.train.__main__ import main

    out = tmp_path_factory.mktemp("train")
    assert main(["all", "--preset", "tiny", "--out", str(out)]) == 0
    # Weights that are exported again have no gate until they are calibrated again.
    shutil.copy(out / "spark-tiny" / "config.json", out / "calibrated.json")
    assert main(["export", "--preset", "tiny", "--out", str(out)]) == 0
    return out


def exported(room: Path) -> Any:
    """The torch model with its matrices as they are exported."""
    from spark_tui.train.language_model import training_loop

    model, _ = training_loop.load_model(room / "run-tiny" / "checkpoint.pt")
    for weights in model.parameters():
        if weights.dim() > 1:
            weights.data = weights.data.bfloat16().float()
    return model


def test_the_run_leaves_a_calibrated_model_and_a_loss_curve(room: Path) -> None:
    for name in ("model.safetensors", "tokenizer.json", "config.json", "README.md"):
        assert (room / "spark-tiny" / name).stat().st_size > 100
    assert (room / "run-tiny" / "loss.svg").exists()
    calibrated, exported = (
        json.loads((room / name).read_text()) for name in ("calibrated.json", "spark-tiny/config.json")
    )
    assert set(calibrated["spark"]["gate"]) == {"cannot", "no_edit", "refuse", "doubt", "fill"}
    assert "gate" not in exported["spark"]


def test_the_numpy_engine_gives_the_torch_logits(room: Path) -> None:
    from spark_tui.engine import load
    from spark_tui.train import dev_set, text_encoder
    from spark_tui.train.sequences import encode_case

    engine, model = load(room / "spark-tiny"), exported(room)
    encode = text_encoder.load(room / "tokenizer.json")
    for record in json_lines.read(room / "dev-tiny.jsonl.gz")[:5]:
        ids = encode_case(encode, dev_set.case_of(record), 0).ids
        tags = torch.tensor([tag_rows(ids)]).clamp(min=0)
        with torch.no_grad():
            expected = model.logits(model(torch.tensor([ids]), tags))[0].numpy()
        assert np.abs(engine.logits(ids) - expected).max() < 1e-3


def test_the_engine_and_torch_write_the_same_answer(room: Path) -> None:
    from spark_tui.engine import load
    from spark_tui.train import dev_set, text_encoder
    from spark_tui.train.sequences import encode_case

    engine, model = load(room / "spark-tiny"), exported(room)
    encode = text_encoder.load(room / "tokenizer.json")
    example = encode_case(encode, dev_set.case_of(json_lines.read(room / "dev-tiny.jsonl.gz")[0]), 0)
    prompt = example.ids[: example.spans[-1][0]]
    ids = list(prompt)
    for token in engine.generate(prompt, 24):
        tags = torch.tensor([tag_rows(ids)]).clamp(min=0)
        with torch.no_grad():
            assert token.id == int(model.logits(model(torch.tensor([ids]), tags))[0, -1].argmax())
        ids.append(token.id)


def test_two_processes_go_on_training_from_parts_with_data_made_by_a_third(
    room: Path, tmp_path: Path
) -> None:
    from spark_tui.train.__main__ import RunFolder, run_training
    from spark_tui.train.language_model import training_loop
    from spark_tui.train.language_model.presets import PRESETS

    kit = tmp_path / "kit"
    kit.mkdir()
    for name in ("corpus.jsonl.gz", "tokenizer.json"):
        shutil.copy(room / name, kit)
    training_loop.write_parts(room / "run-tiny", kit)
    preset = PRESETS["tiny"]
    short = replace(preset, settings=replace(preset.settings, minutes=5, max_steps=124))
    device = RunFolder(kit, short)
    training_loop.read_parts(sorted(kit.glob("checkpoint.part*")), device.run)
    out = tmp_path / "out"
    out.mkdir()
    run_training(device, workers=1, cores=2, parts=out)
    assert list(out.glob("checkpoint.part*"))
    _, state = training_loop.load_model(device.run / "checkpoint.pt")
    assert state["progress"]["step"] == 124
