"""A short training learns, goes on from its checkpoint, and draws its curve."""

import dataclasses
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from spark_tui.intent.reading.intent_table import intents  # noqa: E402
from spark_tui.intent.reading.reader import Calibration  # noqa: E402
from spark_tui.intent.reading.symbol_roles import RoleTable  # noqa: E402
from spark_tui.train.reader import curve, export, training  # noqa: E402
from spark_tui.train.reader.dataset import Dataset, Packer  # noqa: E402
from spark_tui.train.reader.network import Batch, ReaderNetwork, Shape  # noqa: E402
from spark_tui.train.sentences import wordings  # noqa: E402
from spark_tui.train.sentences.code_facts import scene_of  # noqa: E402
from spark_tui.train.sentences.examples import Composer  # noqa: E402

pytestmark = pytest.mark.train
SMALL = Shape(width=64, layers=1, heads=2, hidden=96, gram_width=32)
FEW = ("sort_imports", "make_async", "add_import", "chat", "delete_lines")


def share_right(model, data):
    """Of the orders, those with the right intent."""
    model.eval()
    with torch.no_grad():
        drawn = data.batches(np.random.default_rng(0), 6000)
        batches = [Batch(**training.tensors(data.arrays(rows))) for rows in drawn]
        right = torch.cat([model(batch)[0].argmax(1) == batch.intents for batch in batches])
    return right.float().mean()


@pytest.fixture(scope="module")
def data():
    plain = next(voice for voice in wordings.voices() if voice.name == "plain")
    voice = dataclasses.replace(plain, sentences={name: plain.sentences[name] for name in FEW})
    composer = Composer([voice], [scene_of("a.py", "def load(path, size=3):\n    return path\n")], Random(1))
    packer = Packer(tuple(intents().values()))
    for _ in range(600):
        packer.add(composer.example(), RoleTable())
    return Dataset([packer.done()])


def test_a_short_training_learns_and_a_checkpoint_is_gone_on_from(data, tmp_path):
    said = []
    settings = training.Settings(seconds=20, tokens=600, save_every=5)
    before = share_right(training.new_network(SMALL), data)
    model = training.train(data, tmp_path, settings, said.append, SMALL)
    assert share_right(model, data) > 0.7 > before
    assert said
    again = training.train(data, tmp_path, settings, said.append, SMALL)
    for name, value in model.state_dict().items():
        assert torch.equal(value, again.state_dict()[name])


def test_processes_that_feed_a_training_draw_batches_of_their_own(data):
    settings = training.Settings(tokens=600, feeders=2)
    drawn = torch.utils.data.DataLoader(training.Drawn(data, settings, 0), batch_size=None, num_workers=2)
    batches = [batch for batch, _ in zip(drawn, range(6), strict=False)]
    letters = [batch["gram_ids"].numpy().tobytes() for batch in batches]
    assert len(set(letters)) == len(letters)  # what is left out differs, too


def test_a_training_begins_with_weights_that_know_fewer_intents(tmp_path):
    table = tuple(intents().values())
    older = ReaderNetwork(table[1:], SMALL)
    export.write(older, Calibration(), tmp_path / "reader.npz")
    newer = ReaderNetwork(table, SMALL)
    own = newer.free[0].clone()
    training.begin_with(newer, tmp_path / "reader.npz")
    assert torch.equal(newer.free[0], own)
    assert torch.allclose(newer.free[1:], older.free, atol=0.05)
    assert torch.allclose(newer.grams.weight, older.grams.weight, atol=0.01)
    assert torch.allclose(newer.norm_in.bias, older.norm_in.bias, atol=0.01)


def test_a_larger_network_begins_as_the_one_it_grows_from(data, tmp_path):
    small = training.new_network(SMALL).eval()
    export.write(small, Calibration(), tmp_path / "reader.npz")
    large = training.new_network(dataclasses.replace(SMALL, layers=2, hidden=160)).eval()
    training.begin_with(large, tmp_path / "reader.npz")
    batch = Batch(**training.tensors(data.arrays(next(data.batches(np.random.default_rng(1), 400)))))
    with torch.no_grad():
        for own, given in zip(large(batch), small(batch), strict=True):
            assert torch.allclose(own, given, atol=0.15)
    assert large.layers[1].up.weight.abs().max() > 0  # it can learn from there


def test_what_is_kept_of_the_first_weights_is_in_the_mean(tmp_path):
    first, then = training.new_network(SMALL), training.new_network(SMALL)
    export.write(first, Calibration(), tmp_path / "reader.npz")
    wanted = (0.25 * first.query.weight + 0.75 * then.query.weight).detach()
    training.mix(then, tmp_path / "reader.npz", 0.25)
    assert torch.allclose(then.query.weight, wanted, atol=0.01)


def test_a_curve_is_a_table_and_a_picture():
    rows = [
        {"curve": "writers", "writers": 2, "examples": 900, "intent": 0.4, "first_five": 0.7, "right": 0.3},
        {"curve": "writers", "writers": 8, "examples": 900, "intent": 0.6, "first_five": 0.8, "right": 0.5},
        {"curve": "examples", "writers": 8, "examples": 90, "intent": 0.2, "first_five": 0.3, "right": 0.1},
    ]
    table = curve.markdown(rows, 60)
    assert "| 8 | 900 | 60.0 % | 80.0 % | 50.0 % |" in table
    picture = curve.svg(rows)
    assert picture.startswith("<svg")
    assert picture.count("<polyline") == 3
