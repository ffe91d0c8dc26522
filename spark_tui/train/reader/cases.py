"""Cases of an evaluation: each sentence of some voices once, filled with code that training did not see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from spark_tui.intent.reading.evaluation import RecordedRoles
from spark_tui.intent.reading.features import describe_tokens
from spark_tui.intent.reading.network import LEFT_OUT
from spark_tui.intent.words.readings import SymbolRoles
from spark_tui.intent.words.tokens import Tokens, tokenize
from spark_tui.train.corpus import Module
from spark_tui.train.reader.dataset import order_ranges, token_slots
from spark_tui.train.reader.making import Repositories, scenes_of
from spark_tui.train.sentences.examples import Composer, InstructionExample
from spark_tui.train.sentences.wordings import Voice

Record = dict[str, Any]
SEVERAL_PER_VOICE = 40


def records(
    voices: Sequence[Voice], modules: Sequence[Module], seed: int = 4, *, programs: int = 60
) -> Iterator[Record]:
    """All sentences of the voices, then some instructions with several orders."""
    rng = Random(seed)
    scenes = scenes_of(modules, programs, rng)
    repositories = Repositories(scenes, rng)
    for voice in voices:
        composer = Composer([voice], scenes, rng)
        for name in sorted(voice.sentences):
            for sentence in voice.sentences[name]:
                yield _record(composer.single(voice, sentence), repositories)
        found = 0
        while found < SEVERAL_PER_VOICE:
            example = composer.example()
            if len(example.orders) > 1:
                found += 1
                yield _record(example, repositories)


def _record(example: InstructionExample, repositories: Repositories) -> Record:
    return record_of(example, RecordedRoles(repositories.roles(example.scene)))


def record_of(example: InstructionExample, known: RecordedRoles | SymbolRoles) -> Record:
    """The JSON form of an example: slots as texts without quotes, and the roles that the reader asks for."""
    recorded = known if isinstance(known, RecordedRoles) else RecordedRoles(known)
    tokens = tokenize(example.writing.text)
    describe_tokens(tokens, recorded)
    ranges = order_ranges(tokens, [order.start for order in example.orders])
    found = token_slots(tokens, example.writing.mentions)
    orders = []
    for (first, last), order in zip(ranges, example.orders, strict=True):
        slots = texts_of(tokens, found, first, last)
        left_out = slots.pop(LEFT_OUT, [])
        made: Record = {"start": order.start, "intent": order.intent, "slots": slots}
        made |= {"left_out": left_out} if left_out else {}
        made |= {"everywhere": True} if order.everywhere else {}
        orders.append(made)
    record: Record = {
        "voice": example.voice,
        "language": example.language,
        "text": example.writing.text,
        "orders": orders,
    }
    record |= {"earlier": example.earlier} if example.earlier else {}
    return record | {"names": recorded.names, "words": recorded.words}


def texts_of(
    tokens: Tokens, found: Sequence[tuple[str, bool] | None], first: int, last: int
) -> dict[str, list[str]]:
    """The texts of the slots of some tokens, cut as the reader cuts them."""
    ranges: list[tuple[str, int, int]] = []
    for place in range(first, last):
        slot = found[place]
        if slot is None:
            continue
        if slot[1] or not ranges or ranges[-1][0] != slot[0] or ranges[-1][2] != place:
            ranges.append((slot[0], place, place + 1))
        else:
            ranges[-1] = (slot[0], ranges[-1][1], place + 1)
    out: dict[str, list[str]] = {}
    for name, begin, end in ranges:
        text = tokens.text[tokens.items[begin].start : tokens.items[end - 1].end]
        out.setdefault(name, []).append(text)
    return out
