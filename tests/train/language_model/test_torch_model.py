"""The torch model, its optimiser, its loop and the judge of its answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

torch = pytest.importorskip("torch")

from spark_tui.engine.text import token_layout  # noqa: E402
from spark_tui.train import calibration, dataset, examples  # noqa: E402
from spark_tui.train.language_model import export, optimizer, training_loop  # noqa: E402
from spark_tui.train.language_model.model import TorchSpark  # noqa: E402
from spark_tui.train.language_model.presets import ModelSizes, RunSettings  # noqa: E402
from spark_tui.train.source_windows import windows  # noqa: E402

TINY = ModelSizes(32, 64, 2, 2, 1, 16, (6, 0))


def encode(text: str) -> list[int]:
    return [32 + byte for byte in text.encode()]


def text_of(ids: list[int]) -> str:
    return bytes(token - 32 for token in ids).decode()


def model_with_noise() -> TorchSpark:
    torch.manual_seed(3)
    model = TorchSpark(TINY)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.1)
    return model


def prompt_ids() -> list[int]:
    return token_layout.encode_prompt(
        encode, token_layout.EncodedPrompt("m.py", ("x = 1", "y = 2"), "swap line 2")
    )


def test_a_row_does_not_see_later_rows_or_beyond_its_window() -> None:
    model = model_with_noise()
    ids = torch.randint(32, 8000, (1, 40))
    tags = torch.zeros_like(ids)
    other = ids.clone()
    other[0, 30] = 99
    with torch.no_grad():
        one, two = model(ids, tags), model(other, tags)
    assert torch.equal(one[0, :30], two[0, :30])
    assert not torch.allclose(one[0, 30:], two[0, 30:])


def test_orthogonalised_updates_have_singular_values_near_one() -> None:
    torch.manual_seed(1)
    for shape in ((3, 24, 60), (2, 60, 24)):
        values = torch.linalg.svdvals(optimizer.orthogonalised(torch.randn(shape)))
        assert values.min() > 0.5
        assert values.max() < 1.5


def shards(folder: Path) -> Path:
    rng = Random(2)
    source = "\n\n".join(f"def f{n}(a, b={n}):\n    total = a + b\n    return total" for n in range(10))
    pieces = list(windows("a/b.py", source, rng, limit=16, count=8))
    mixer = examples.Mixer(pieces, rng)
    dataset.write_shard(folder / "0001-0000.npz", mixer, encode, 80, 500)
    return folder


def test_training_lowers_the_loss_and_continues_where_it_stopped(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    data = shards(tmp_path / "data")
    settings = RunSettings(minutes=60, tokens_per_batch=2000, warmup_steps=5, max_steps=50, half=False)
    first = training_loop.train(TINY, data, tmp_path / "run", settings)
    assert first.step == 50
    second = training_loop.train(TINY, data, tmp_path / "run", replace(settings, max_steps=100))
    assert second.step == 100
    assert second.tokens > first.tokens
    history = training_loop.read_history(tmp_path / "run")
    assert [row["step"] for row in history] == [50, 100]
    assert history[1]["loss"] < history[0]["loss"]
    assert "polyline" in (tmp_path / "run" / "loss.svg").read_text()


def test_a_checkpoint_travels_in_parts(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    settings = RunSettings(minutes=5, tokens_per_batch=2000, max_steps=2, half=False)
    training_loop.train(TINY, shards(tmp_path / "data"), tmp_path / "run", settings)
    (tmp_path / "out").mkdir()
    parts = training_loop.write_parts(tmp_path / "run", tmp_path / "out")
    training_loop.read_parts(parts, tmp_path / "again")
    assert (
        training_loop.train(TINY, tmp_path / "data", tmp_path / "again", replace(settings, max_steps=3)).step
        == 3
    )


def test_the_schedule_warms_up_holds_and_falls() -> None:
    settings = RunSettings(minutes=10, warmup_steps=10, cooldown=0.5)
    assert training_loop.schedule(0.0, 0, settings) == pytest.approx(0.1)
    assert training_loop.schedule(0.4, 500, settings) == 1.0
    assert training_loop.schedule(0.75, 500, settings) == pytest.approx(0.5)
    assert training_loop.schedule(1.0, 500, settings) == 0.05


def test_exported_weights_come_back_within_their_precision(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    model = model_with_noise()
    save_file(export.tensors(model), tmp_path / "m.safetensors")
    found = load_file(tmp_path / "m.safetensors")
    for name, weight in model.state_dict().items():
        assert torch.allclose(found[name].float(), weight, atol=4e-3, rtol=1e-2)


RECORD = {
    "id": "seen/x/1",
    "set": "seen",
    "kind": "change_number",
    "path": "a.py",
    "before": "a = 1\nb = 2\n",
    "after": "a = 1\nb = 3\n",
    "instruction": "b is 3",
    "answer": "edit",
}


def answer(*hunks: token_layout.WindowHunk) -> list[int]:
    return [t for h in hunks for t in token_layout.encode_hunk(encode, h)] + [token_layout.EOS]


@pytest.mark.parametrize(
    ("ids", "right", "right_to_the_letter"),
    [
        (answer(token_layout.WindowHunk(1, 2, ("b = 3",))), True, True),
        (answer(token_layout.WindowHunk(1, 2, ("b =  3",))), True, False),
        (answer(token_layout.WindowHunk(0, 1, ("b = 3",))), False, False),
        (answer(token_layout.WindowHunk(1, 9, ("b = 3",))), False, False),
        ([token_layout.NOEDIT, token_layout.EOS], False, False),
        ([token_layout.HUNK, token_layout.tag(1), token_layout.EOS], False, False),
        (answer(token_layout.WindowHunk(1, 2, ("b = 3",)))[:-1], False, False),
    ],
)
def test_the_judge_rejects_an_almost_right_answer(
    ids: list[int], right: bool, right_to_the_letter: bool
) -> None:
    assert calibration.is_right(RECORD, ids, encode, text_of) == right
    assert calibration.is_right({**RECORD, "exact": True}, ids, encode, text_of) == right_to_the_letter


def test_an_answer_without_an_edit_is_right_where_nothing_is_to_do() -> None:
    idle = {**RECORD, "kind": "no-edit", "after": RECORD["before"], "answer": "no-edit"}
    assert calibration.is_right(idle, [token_layout.NOEDIT, token_layout.EOS], encode, text_of)
    assert not calibration.is_right(idle, answer(token_layout.WindowHunk(1, 2, ("b = 2",))), encode, text_of)
