"""Sentences, the code that fills them, and the arrays that are trained on."""

from random import Random

import numpy as np
import pytest

from spark_tui.intent.reading.evaluation import case_from
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.network import LEFT_OUT
from spark_tui.intent.reading.symbol_roles import RoleTable
from spark_tui.intent.words.tokens import tokenize
from spark_tui.train.reader import cases
from spark_tui.train.reader.dataset import Dataset, Packer, order_ranges, token_slots
from spark_tui.train.reader.making import Repositories
from spark_tui.train.sentences import wordings
from spark_tui.train.sentences.code_facts import scene_of
from spark_tui.train.sentences.examples import Composer, InstructionExample, PlacedOrder
from spark_tui.train.sentences.fillers import LISTED, Filler
from spark_tui.train.sentences.filling_tables import source_of
from spark_tui.train.sentences.pronouns import about_the_same
from spark_tui.train.sentences.rendering import SlotText, Writing, disturb, say
from spark_tui.train.templates.tables import table

SHOP = """
import json
from decimal import Decimal

MAX_ITEMS = 20

class Cart(Base):
    def __init__(self, owner, strict=False):
        self.owner = owner
        self.lines = []

    @cached
    def add(self, name, qty, price=0):
        if qty < 1:
            raise ValueError("quantity must be positive")
        total = qty * price
        for line in self.lines:
            print(line, end="")
        try:
            send(total, timeout=30)
        except KeyError:
            return None
        self.lines.append((name, total))
        return total
"""


@pytest.fixture(scope="module")
def scene():
    return scene_of("shop/cart.py", SHOP)


@pytest.fixture(scope="module")
def voices():
    return wordings.voices()


def test_the_facts_of_a_function_are_what_stands_in_it(scene):
    add = next(function for function in scene.functions if function.name == "add")
    assert (add.owner, add.parameters, add.defaults) == ("Cart", ["name", "qty", "price"], {"price": "0"})
    assert add.decorators == ["cached"]
    assert add.conditions == ["qty < 1"]
    assert add.caught == ["KeyError"]
    assert add.raised == ["ValueError"]
    assert ("timeout", "30") in add.keywords
    assert "total = qty * price" in add.statements
    assert add.loop_variables == ["line"]
    assert "quantity must be positive" in add.strings
    assert scene.constants == {"MAX_ITEMS": "20"}
    assert scene.classes[0].bases == ["Base"]
    assert scene.roles.roles("qty") == {"parameter"}


def test_every_slot_of_every_intent_can_be_filled(scene):
    filler = Filler(scene, scene.functions[-1], Random(1))
    for intent in intents().values():
        for slot in intent.slot_names:
            text, kind = filler.draw(source_of(intent.name, slot))
            assert text, (intent.name, slot)
            assert (
                kind
                in "callable class name file value code condition text exception word number_word decorator"
            )


def test_tables_name_intents_and_slots_that_exist():
    for name, sources in table("sentences/slot_sources").items():
        known = set(intents()[name].slot_names) if name != "default" else set(sources)
        assert set(sources) <= known, name
        assert all(source in LISTED or hasattr(Filler, f"_{source}") for source in sources.values()), name
    assert {f"amend.{name}" for name in table("sentences/amended")} <= set(intents())


def test_a_mention_is_what_fills_the_slot(scene):
    rng = Random(3)
    for number in range(200):
        writing = Writing("in ")
        found = Filler(scene, scene.functions[number % 2], rng).draw("function")
        say(writing, "function", found, " do", rng)
        (mention,) = writing.mentions
        said = writing.text[mention.start : mention.end]
        spoken = " ".join(word for word in said.split() if word != "underscore")
        assert spoken.replace(" ", "_").strip("_") in found[0] or said in found[0]
        assert not said.startswith(("`", '"', "'"))


def typed(before, found, following):
    """All the ways in which a slot is typed between two texts."""
    writings = [Writing(before) for _ in range(100)]
    for number, writing in enumerate(writings):
        say(writing, "value", found, following, Random(number))
    return {writing.text.removeprefix(before) for writing in writings}


def test_within_backticks_a_slot_stands_as_in_code():
    assert typed("make it `if ", ("chunk_size", "name"), ":`") == {"chunk_size"}
    assert typed("make it `level = ", ('"low"', "value"), "`") == {'"low"', "'low'"}
    assert "`chunk_size`" in typed("make it ", ("chunk_size", "name"), "")


def test_noise_moves_the_mentions_along():
    rng = Random(5)
    for _ in range(300):
        writing = Writing("Please, rename the `qty` parameter; carefully.", (SlotText(20, 23, "symbol"),))
        typed = disturb(writing, rng, "en")
        (mention,) = typed.mentions
        assert typed.text[mention.start : mention.end] == "qty"


def test_composed_examples_name_only_slots_of_their_intents(scene, voices):
    composer = Composer(wordings.for_training(voices), [scene], Random(2))
    several = amended = left_out = 0
    for _ in range(400):
        example = composer.example()
        text = example.writing.text
        assert text == text.strip()
        known = {slot for order in example.orders for slot in intents()[order.intent].slot_names}
        assert {mention.slot for mention in example.writing.mentions} <= known | {LEFT_OUT}
        assert all(text[mention.start : mention.end].strip() for mention in example.writing.mentions)
        several += len(example.orders) > 1
        amended += example.orders[0].intent.startswith("amend.")
        assert not example.orders[0].intent.startswith("amend.") or example.earlier
        left_out += any(mention.slot == LEFT_OUT for mention in example.writing.mentions)
    assert min(several, amended, left_out) > 5


def test_held_out_voices_are_never_among_those_for_training(voices):
    training = wordings.for_training(voices)
    assert training
    assert not {voice.name for voice in training} & wordings.HELD_OUT
    assert {voice.name for voice in voices} - {voice.name for voice in training} <= wordings.HELD_OUT


def test_sentences_of_all_voices_belong_to_intents_and_use_their_slots(voices):
    for voice in voices:
        assert voice.language in ("en", "de", "fr", "es", "zh"), voice.name
        for name, sentences in voice.sentences.items():
            for sentence in sentences:
                assert set(sentence.slots) <= set(intents()[name].slot_names)


def test_a_sentence_is_cut_at_its_own_slots():
    sentence = wordings.parse_sentence("rename", "call {class}.{symbol} {new}, not {} or {that}")
    assert sentence.pieces == ("call ", "symbol", " ", "new", ", not {} or {that}")


def test_tokens_of_a_mention_carry_its_slot_and_quotes_around_it_do_not():
    text = 'set "a b" to x.y in f'
    mentions = (SlotText(4, 9, "old"), SlotText(13, 14, "class"), SlotText(13, 16, "new"))
    tokens = tokenize(text)
    found = token_slots(tokens, mentions)
    named = {token.text: slot for token, slot in zip(tokens.items, found, strict=True) if slot is not None}
    assert named == {"a": ("old", True), "b": ("old", False), "x.y": ("new", True)}


def test_orders_cover_all_tokens_and_begin_where_they_should():
    tokens = tokenize("rename a, then sort it")
    ranges = order_ranges(tokens, [0, 8])
    assert ranges == [(0, 2), (2, 6)]


def test_packed_arrays_hold_what_the_examples_say():
    packer = Packer(tuple(intents().values()))
    writing = Writing("rename qty, then sort imports", (SlotText(7, 10, "symbol"),))
    orders = (PlacedOrder(0, "rename", True), PlacedOrder(10, "sort_imports", False))
    assert packer.add(InstructionExample(writing, orders, "", "v", "en", None), RoleTable())
    arrays = Dataset([packer.done()]).arrays(np.array([0]))
    names = list(intents())
    assert [names[number] for number in arrays["intents"]] == ["rename", "sort_imports"]
    assert arrays["tags"][0].tolist()[:3] == [0, 1, -100]
    assert arrays["boundary"][0].tolist() == [0, 0, 1, 0, 0, 0]
    assert arrays["everywhere"].tolist() == [1, 0]
    assert arrays["earlier"].tolist() == [-1]


def test_a_case_reads_back_as_it_was_written(scene, voices):
    composer = Composer(voices[:1], [scene], Random(4))
    repositories = Repositories([scene], Random(4))
    for _ in range(50):
        example = composer.example()
        record = cases.record_of(example, repositories.roles(example.scene))
        case = case_from(record)
        assert case.text == example.writing.text
        assert [order.intent for order in case.orders] == [order.intent for order in example.orders]
        said = {text for order in case.orders for texts in order.slots.values() for text in texts}
        assert all(text in case.text for text in said)


def test_choices_of_words_are_written_out():
    assert wordings.variants("plain {symbol}") == ["plain {symbol}"]
    assert sorted(wordings.variants("[[drop|lose]] {symbol} [[please|]]")) == [
        *("drop {symbol}", "drop {symbol} please", "lose {symbol}", "lose {symbol} please")
    ]
    assert len(wordings.variants("[[a|b|c|d]] [[e|f|g|h]]")) == wordings.MOST_VARIANTS


def test_a_clause_around_an_order_moves_its_mentions_and_names_its_place(scene, voices):
    composer = Composer(voices, [scene], Random(3))
    voice, intent = voices[0], intents()["remove_unused_imports"]
    seen = set()
    for _ in range(60):
        made = composer._in_context(Writing("Drop os", (SlotText(5, 7, "module"),)), intent, voice, scene)
        slots = {
            mention.slot: made.text[mention.start : mention.end] for mention in made.mentions if mention.slot
        }
        assert slots.pop("module") == "os"
        seen |= set(slots)
    assert seen == {"file"}


def test_a_later_order_says_it_of_what_the_order_before_names():
    made = Writing("rename load to read and ", (SlotText(7, 11, "symbol"), SlotText(15, 19, "new")))
    asked = wordings.parse_sentence("make_private", "make {symbol} private")
    same = about_the_same(asked, made, 0, "en", Random(1))
    assert same.slots == ()
    assert same.pieces[0] in {f"make {item} private" for item in table("sentences/phrases")["en"]["same"]}
    elsewhere = wordings.parse_sentence("set_docstring", "{function}() says {text}")
    assert about_the_same(elsewhere, made, 0, "en", Random(1)) == elsewhere
    german = about_the_same(asked, made, 0, "de", Random(1)).pieces
    assert german[0] in {f"make {item} private" for item in table("sentences/phrases")["de"]["same"]}
    assert about_the_same(asked, made, 15, "en", Random(1)) == asked


def test_several_orders_are_said_behind_one_heading(scene, voices):
    english = [voice for voice in voices if voice.language == "en"]
    composer = Composer(english, [scene], Random(5))
    found = [item for item in (composer.example() for _ in range(2000)) if len(item.orders) > 1]
    headings = tuple(text.partition("{")[0] for text in table("sentences/contexts")["en"]["headings"])
    headings = tuple(heading for heading in headings if len(heading) > 5)
    headed = [item for item in found if item.writing.text.startswith(headings)]
    assert headed
    assert all(item.orders[0].start == 0 < item.orders[1].start for item in headed)


def test_joins_and_points_of_each_language_hold_three_orders():
    phrases = table("sentences/phrases")
    for language in ("en", "de", "fr", "es", "zh"):
        own = phrases[language]
        assert len(own["joins"]) > 50 and own["same"]
        assert all(len(row) == 3 for row in (*phrases["points"], *own["points"]))
