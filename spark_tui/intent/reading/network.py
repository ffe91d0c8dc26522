"""The reader's network in numpy: an encoder over tokens, and scores of intents, slots and places to split.

Intents and slots are vectors made from their names and descriptions (and a learned part for those that were
trained), so an intent that is added to the table has a meaning before the reader is trained again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.features import FLAGS, TokenFeatures, grams
from spark_tui.intent.reading.intent_table import Intent, intents

Array = NDArray[np.float32]
LEFT_OUT = "left_out"
"""A slot of every intent: places that are excepted."""
REACH = 24
"""Distances of tokens are told apart up to this."""
_MOST_WORDS_KEPT = 20_000
_WORD = re.compile(r"[^\W_]+")


def read_weights(path: Path) -> dict[str, Array]:
    """The arrays of a weights file. Matrices are stored as int8 with a scale for each row."""
    out: dict[str, Array] = {}
    with np.load(path, allow_pickle=False) as stored:
        for name in stored.files:
            if name.endswith(".scale") or name in ("trained", "calibration"):
                continue
            value = stored[name].astype(np.float32)
            if f"{name}.scale" in stored.files:
                value *= stored[f"{name}.scale"].astype(np.float32)[..., None]
            # Columns first: products with few rows take half of the time.
            out[name] = np.asfortranarray(value) if name.endswith(".weight") else value
    return out


def quantized(arrays: Mapping[str, Array]) -> dict[str, NDArray[Any]]:
    """What is written for these arrays: int8 rows with a scale for matrices, float16 for the rest."""
    out: dict[str, NDArray[Any]] = {}
    for name, value in arrays.items():
        if value.ndim < 2 or value.shape[-1] < 32:
            out[name] = value.astype(np.float16)
            continue
        scale = np.maximum(np.abs(value).max(axis=-1), 1e-8) / 127
        out[name] = np.round(value / scale[..., None]).astype(np.int8)
        out[f"{name}.scale"] = scale.astype(np.float32)
    return out


def label_words(text: str) -> list[str]:
    """The words of a name or a description, as the reader sees ordinary words."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class Encoded:
    """An instruction as vectors: one for each token in its context, and one before it."""

    tokens: Array  # [T, D]
    words: Array  # [T, D]

    def __len__(self) -> int:
        return len(self.tokens)


class Network:
    """Scores of the parts of an instruction. `intents` gives the order of the intent scores."""

    def __init__(
        self, weights: Mapping[str, Array], intents: Sequence[Intent], trained: Sequence[str]
    ) -> None:
        self.w = weights
        self.intents = tuple(intents)
        self.number = {intent.name: place for place, intent in enumerate(self.intents)}
        self.trained = {name: place for place, name in enumerate(trained)}
        self.heads = weights["distance"].shape[0]
        self.layers = sum(name.endswith(".qkv.weight") for name in weights)
        self._word_vectors: dict[str, Array] = {}

    # -- labels

    def _texts(self, texts: Sequence[str]) -> Array:
        """[N, D]"""
        split = [label_words(text) for text in texts]
        known = {word: self._grams(word) for word in {word for words in split for word in words}}
        return np.stack([np.mean([known[word] for word in words], axis=0) for words in split])

    def _grams(self, word: str) -> Array:
        mean: Array = self.w["grams"][list(grams(word))].mean(axis=0)
        return mean

    @cached_property
    def intent_vectors(self) -> Array:
        """[I, D]"""
        names = self._texts([intent.name for intent in self.intents])
        abouts = self._texts([intent.about for intent in self.intents])
        hidden = gelu(self._linear("label_in", np.concatenate([names, abouts], axis=1)))
        vectors = self._linear("label_out", hidden)
        for place, intent in enumerate(self.intents):
            if intent.name in self.trained:
                vectors[place] += self.w["free"][self.trained[intent.name]]
        return vectors

    @cached_property
    def intent_bias(self) -> Array:
        known = self.w["intent_bias"]
        return np.array(
            [known[self.trained[i.name]] if i.name in self.trained else known.min() for i in self.intents],
            dtype=np.float32,
        )

    def slot_names(self, number: int) -> tuple[str, ...]:
        """The slots of an intent in the order of the tags."""
        return (*self.intents[number].slot_names, LEFT_OUT)

    @cached_property
    def _tags(self) -> list[Array]:
        """For each intent [1 + 2 S, D]: outside, then the beginning and the inside of each slot."""
        names = sorted({name for number in range(len(self.intents)) for name in self.slot_names(number)})
        texts = {
            name: self._linear("slot_in", text) for name, text in zip(names, self._texts(names), strict=True)
        }
        pairs = [(number, name) for number in range(len(self.intents)) for name in self.slot_names(number)]
        joined = np.stack(
            [np.concatenate([texts[name], self.intent_vectors[number]]) for number, name in pairs]
        )
        hidden = gelu(self._linear("pair", joined))
        begins, insides = self._linear("begin", hidden), self._linear("inside", hidden)
        out: list[list[Array]] = [[self.w["outside"]] for _ in self.intents]
        for row, (number, _) in enumerate(pairs):
            out[number] += [begins[row], insides[row]]
        return [np.stack(rows) for rows in out]

    # -- the encoder

    def encode(self, features: Sequence[TokenFeatures], earlier: str = "") -> Encoded:
        """The vectors of the tokens; `earlier` is the intent that was done before."""
        return self.encode_each([(features, earlier)])[0]

    def encode_each(self, texts: Sequence[tuple[Sequence[TokenFeatures], str]]) -> list[Encoded]:
        """The same for several texts in one pass, which takes little longer than for one: most of the time
        goes by until the weights are there."""
        bits = np.array([feature.flags for features, _ in texts for feature in features], dtype=np.uint64)
        flags = (bits[:, None] >> np.arange(len(FLAGS), dtype=np.uint64)) & np.uint64(1)
        seen = np.stack([self._word(feature.word) for features, _ in texts for feature in features])
        seen = seen + flags.astype(np.float32) @ self.w["flags"]
        rows: list[Array] = []
        parts: list[slice] = []
        at = 0
        for features, earlier in texts:
            start = self.w["start"]
            if earlier in self.number:
                start = start + self._linear("earlier", self.intent_vectors[self.number[earlier]])
            first, at = at, at + len(features)
            rows += [start[None], seen[first:at]]
            parts.append(slice(first + len(parts), at + len(parts) + 1))
        x = self._norm("norm_in", np.concatenate(rows))  # [T + 1 of each text, D]
        words = x
        biases = [self._bias(part.stop - part.start) for part in parts]
        for layer in range(self.layers):
            x = self._layer(f"layers.{layer}", x, parts, biases)
        x = self._norm("norm_out", x)
        return [Encoded(x[part][1:], words[part][1:]) for part in parts]

    def _word(self, word: str) -> Array:
        known = self._word_vectors.get(word)
        if known is None:
            if len(self._word_vectors) >= _MOST_WORDS_KEPT:
                self._word_vectors.clear()
            known = self._word_vectors[word] = self._linear("word", self._grams(word))
        return known

    def _bias(self, size: int) -> Array:
        """[H, T, T]"""
        places = np.arange(size)
        distance = np.clip(places[None] - places[:, None], -REACH, REACH) + REACH
        return self.w["distance"][:, distance]

    def _layer(self, name: str, x: Array, parts: Sequence[slice], biases: Sequence[Array]) -> Array:
        size, width = x.shape
        y = self._linear(f"{name}.qkv", self._norm(f"{name}.norm1", x))
        q, k, v = y.reshape(size, 3, self.heads, width // self.heads).transpose(1, 2, 0, 3)  # [H, T, D/H]
        mixed = [
            softmax(
                q[:, part] @ k[:, part].transpose(0, 2, 1) / np.float32(np.sqrt(width // self.heads)) + bias
            )
            @ v[:, part]
            for part, bias in zip(parts, biases, strict=True)
        ]
        attended = mixed[0] if len(mixed) == 1 else np.concatenate(mixed, axis=1)
        x = x + self._linear(f"{name}.out", attended.transpose(1, 0, 2).reshape(size, width))
        hidden = gelu(self._linear(f"{name}.up", self._norm(f"{name}.norm2", x)))
        return x + self._linear(f"{name}.down", hidden)

    # -- scores

    def boundaries(self, encoded: Encoded) -> Array:
        """For each token the score that a new order begins with it."""
        return self._linear("boundary", encoded.tokens)[:, 0]

    def intent_scores(self, encoded: Encoded, first: int, last: int) -> tuple[Array, float]:
        """The scores of all intents for the tokens `first` to `last`, and the score of *everywhere*."""
        part = encoded.tokens[first:last]
        pooled = np.concatenate([part.mean(axis=0), part.max(axis=0)])
        bag = encoded.words[first:last].mean(axis=0)
        query = self._norm("norm_query", self._linear("query", np.concatenate([pooled, bag])))
        scores = self.intent_vectors @ query / np.float32(np.sqrt(len(query))) + self.intent_bias
        return scores, float(self._linear("everywhere", pooled)[0])

    def tag_scores(self, encoded: Encoded, first: int, last: int, numbers: Sequence[int]) -> list[Array]:
        """For each of some intents the scores [T, 1 + 2 S] of the tags of its slots for each token."""
        own = self._linear("token", encoded.tokens[first:last])
        return [own @ self._tags[number].T / np.float32(np.sqrt(own.shape[1])) for number in numbers]

    def _linear(self, name: str, x: Array) -> Array:
        y: Array = x @ self.w[f"{name}.weight"].T + self.w[f"{name}.bias"]
        return y

    def _norm(self, name: str, x: Array) -> Array:
        # `mean` takes twice as long.
        width = np.float32(x.shape[-1])
        y: Array = x - x.sum(axis=-1, keepdims=True) / width
        variance = np.square(y).sum(axis=-1, keepdims=True) / width
        y /= np.sqrt(variance + 1e-5)
        y *= self.w[f"{name}.weight"]
        y += self.w[f"{name}.bias"]
        return y


def gelu(x: Array) -> Array:
    y: Array = 0.044715 * x
    y *= x
    y *= x
    y += x
    y *= np.float32(0.7978845608)
    np.tanh(y, out=y)
    y += 1
    y *= 0.5 * x
    return y


def softmax(x: Array) -> Array:
    y: Array = np.exp(x - x.max(axis=-1, keepdims=True))
    y /= y.sum(axis=-1, keepdims=True)
    return y


def log_softmax(x: Array) -> Array:
    y: Array = x - x.max(axis=-1, keepdims=True)
    y -= np.log(np.exp(y).sum(axis=-1, keepdims=True))
    return y


@lru_cache(maxsize=1)
def stored_network(path: Path, changed: int) -> Network:
    """The network with the weights of a file that changed then. All sessions of a process have one."""
    del changed
    with np.load(path, allow_pickle=False) as stored:
        trained = [str(name) for name in stored["trained"]]
    return Network(read_weights(path), tuple(intents().values()), trained)
