"""The `spark` family as it is trained and as it is run: torch and numpy give the same logits. Skipped without
torch."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from support.tag_rows import tag_rows  # noqa: E402

from spark_tui.engine.cache.pool import Pool  # noqa: E402
from spark_tui.engine.cache.sequence import Sequence  # noqa: E402
from spark_tui.engine.checkpoint import load_checkpoint  # noqa: E402
from spark_tui.engine.model import BatchJob, Model  # noqa: E402
from spark_tui.engine.text import token_layout  # noqa: E402
from spark_tui.train.language_model.export import tensors  # noqa: E402
from spark_tui.train.language_model.model import ModelSizes, TorchSpark  # noqa: E402


def prompt(chance: Random) -> list[int]:
    """A file, history, an instruction, a begun answer, a steer: every way that ids carry tags."""

    def encode(text: str) -> list[int]:
        return [32 + byte for byte in text.encode()]

    lines = tuple(f"value_{line} = {chance.randrange(999)}" for line in range(9))
    ids = token_layout.encode_prompt(
        encode, token_layout.EncodedPrompt("pkg/mod.py", lines, "change line 3 and lines 5-7"), start=508
    )
    answer = [
        token_layout.HUNK,
        token_layout.tag(2, 508),
        token_layout.tag(3, 508),
        *encode("value_2 = 1\n"),
        token_layout.END,
    ]
    steer = [token_layout.STEER, *encode("no"), token_layout.OUT, token_layout.HUNK, token_layout.tag(8, 508)]
    second = [
        token_layout.FILE,
        *encode("b.py"),
        token_layout.tag(0),
        *encode("x"),
        token_layout.GAP,
        *encode("y"),
        token_layout.tag(7),
    ]
    return [
        *ids,
        *answer,
        *steer,
        token_layout.EOS,
        *second,
        *encode("z"),
        token_layout.INSTR,
        *encode("why"),
    ]


@pytest.mark.parametrize("windows", [(6, 0), (0, 0), (40, 9)])
def test_torch_and_numpy_agree_whole_and_in_pieces(windows: tuple[int, int], tmp_path: Path) -> None:
    from safetensors.torch import save_file

    torch.manual_seed(1)
    shape = ModelSizes(32, 64, 2, 2, 1, 16, windows)
    model = TorchSpark(shape)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.2)
            weight.copy_(weight.bfloat16())  # what the export keeps of it
    save_file(tensors(model), tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps(shape.config()))
    checkpoint = load_checkpoint(tmp_path)
    ours = Model(checkpoint.arch, checkpoint.weights)
    pool = Pool(checkpoint.arch, 1 << 23)
    for seed in range(3):
        ids = prompt(Random(seed))
        rows = torch.tensor([tag_rows(ids)]).clamp(min=0)
        with torch.no_grad():
            expected = model.logits(model(torch.tensor([ids]), rows))[0].numpy()
        sequence = Sequence(pool)
        found = ours.forward([BatchJob(sequence, ids, len(ids))]).copy()
        assert np.abs(found - expected).max() < 1e-4
        assert (found.argmax(1) == expected.argmax(1)).all()
        sequence.truncate(50)
        pieces = [
            ours.forward([BatchJob(sequence, ids[at : at + 17], len(ids[at : at + 17]))]).copy()
            for at in range(50, len(ids), 17)
        ]
        assert np.abs(np.vstack(pieces) - expected[50:]).max() < 1e-4
