"""Counts which words go with which intents, in sentences of voices and of the edit generators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.word_counts import BUCKETS, WEIGHTS, buckets, said_words
from spark_tui.intent.words.tokens import tokenize
from spark_tui.train.corpus import Module
from spark_tui.train.reader.kind_examples import kind_examples
from spark_tui.train.sentences.wordings import Voice

_MOST = 255


def count(
    voices: Sequence[Voice], modules: Sequence[Module], generated: int, seed: int
) -> tuple[list[str], NDArray[np.uint8]]:
    """The intents, and for each bucket of words how often it was said for each of them."""
    names = list(intents())
    place = {name: at for at, name in enumerate(names)}
    counts = np.zeros((BUCKETS, len(names)), dtype=np.int64)

    def add(text: str, intent: str) -> None:
        if intent in place:
            singles, pairs = buckets(said_words(tokenize(text).items))
            np.add.at(counts, ([*singles, *pairs], place[intent]), 1)

    for voice in voices:
        for intent, sentences in voice.sentences.items():
            for sentence in sentences:
                add(" ".join(sentence.pieces[::2]), intent)
    for example in kind_examples(modules, generated, Random(seed)):
        add(example.writing.text, example.orders[0].intent)
    return names, np.minimum(counts, _MOST).astype(np.uint8)


def write(names: Sequence[str], counts: NDArray[np.uint8], path: Path = WEIGHTS) -> None:
    """Keep the counts, compressed."""
    np.savez_compressed(path, names=np.array(names), counts=counts)
