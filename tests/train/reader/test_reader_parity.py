"""The network in numpy gives what the one in torch gives."""

from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from spark_tui.intent.reading.features import describe_tokens  # noqa: E402
from spark_tui.intent.reading.intent_table import intents  # noqa: E402
from spark_tui.intent.reading.network import Network, read_weights  # noqa: E402
from spark_tui.intent.reading.reader import Calibration, Reader  # noqa: E402
from spark_tui.intent.reading.symbol_roles import RoleTable  # noqa: E402
from spark_tui.intent.words.tokens import tokenize  # noqa: E402
from spark_tui.train.reader import export, training  # noqa: E402
from spark_tui.train.reader.dataset import Dataset, Packer  # noqa: E402
from spark_tui.train.reader.network import Batch, Shape  # noqa: E402
from spark_tui.train.sentences.examples import InstructionExample, PlacedOrder  # noqa: E402
from spark_tui.train.sentences.rendering import SlotText, Writing  # noqa: E402

pytestmark = pytest.mark.parity
SMALL = Shape(width=64, layers=2, heads=2, hidden=96, gram_width=32)


def example(text, *orders, earlier=""):
    asked = tuple(PlacedOrder(start, intent, False) for start, intent in orders)
    return InstructionExample(Writing(text, (SlotText(7, 10, "symbol"),)), asked, earlier, "v", "en", None)


EXAMPLES = [
    example("rename qty to quantity", (0, "rename")),
    example("rename qty, then sort the imports", (0, "rename"), (10, "sort_imports")),
    example("把 add 里的 qty 改成 quantity", (0, "rename")),
    example("no, call it total", (0, "amend.name"), earlier="rename"),
]


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(3)
    made = training.new_network(SMALL)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return made.eval()


@pytest.mark.parametrize("one", EXAMPLES, ids=lambda item: item.writing.text)
def test_all_scores_are_the_same(model, one):
    packer = Packer(tuple(intents().values()))
    assert packer.add(one, RoleTable())
    data = Dataset([packer.done()])
    batch = Batch(**training.tensors(data.arrays(np.array([0]))))
    with torch.no_grad():
        scores, broad, tags, boundary = model(batch)
    network = export.numpy_network(model)
    encoded = network.encode(describe_tokens(tokenize(one.writing.text), RoleTable()), one.earlier)
    np.testing.assert_allclose(network.boundaries(encoded), boundary[0], atol=2e-4)
    for row, asked in enumerate(one.orders):
        first, last = int(batch.first[row]), int(batch.last[row])
        own, own_broad = network.intent_scores(encoded, first, last)
        usual = [not intent.amends or bool(one.earlier) for intent in network.intents]
        np.testing.assert_allclose(own[usual], scores[row][torch.tensor(usual)], atol=2e-4)
        assert own_broad == pytest.approx(float(broad[row]), abs=2e-4)
        number = network.number[asked.intent]
        (found,) = network.tag_scores(encoded, first, last, [number])
        np.testing.assert_allclose(found, tags[row, first:last, : found.shape[1]], atol=2e-4)


def test_the_written_file_reads_as_the_network_does(model, tmp_path):
    export.write(model, Calibration(temperature=1.5), tmp_path / "reader.npz")
    loaded = Reader.load(tmp_path / "reader.npz")
    assert loaded.calibration.temperature == pytest.approx(1.5)
    exact = export.numpy_network(model)
    features = describe_tokens(tokenize("rename qty to quantity"), RoleTable())
    ours, theirs = loaded.network.encode(features).tokens, exact.encode(features).tokens
    assert np.abs(ours - theirs).mean() < 0.05 * np.abs(theirs).mean()
    names = [intent.name for intent in model.intents]
    stored = Network(read_weights(tmp_path / "reader.npz"), tuple(intents().values()), names)
    assert stored.trained == exact.trained


def test_batches_hold_every_example_once(model):
    packer = Packer(tuple(intents().values()))
    rng = Random(1)
    for _ in range(50):
        packer.add(rng.choice(EXAMPLES), RoleTable())
    data = Dataset([packer.done()])
    drawn = np.concatenate(list(data.batches(np.random.default_rng(0), 60)))
    assert sorted(drawn.tolist()) == list(range(50))
