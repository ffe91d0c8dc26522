"""Sentences of people with slots, one file for each voice, and how the voice says conditions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from spark_tui.intent.reading.intent_table import intents

FOLDER = Path(__file__).parent.parent / "wordings"
HELD_OUT = frozenset(
    {
        *("dictation", "grumpy", "effect_not_construct", "slack_message", "nonnative_east_asian"),
        *("german_2", "french_2", "spanish_2", "chinese_2"),
    }
)
"""Voices that are never trained on. The figures that count are theirs."""
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\[\[(.*?)\]\]")
MOST_VARIANTS = 12
"""Of a sentence with choices."""
_LANGUAGES = {
    "english": "en",
    "german": "de",
    "deutsch": "de",
    "french": "fr",
    "spanish": "es",
    "chinese": "zh",
    "zh-cn": "zh",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with slots. `pieces` are texts and slot names in turn, beginning and ending with a text."""

    intent: str
    pieces: tuple[str, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        return self.pieces[1::2]


@dataclass(frozen=True, slots=True)
class Voice:
    """One writer: all of their sentences, by intent."""

    name: str
    language: str
    sentences: Mapping[str, tuple[Sentence, ...]]
    conditions: Mapping[str, tuple[str, ...]]

    @property
    def held_out(self) -> bool:
        return self.name in HELD_OUT


def parse_sentence(intent: str, text: str) -> Sentence:
    """Cuts a sentence at its slots. `{class}.{symbol}` is one name with a dot, which the symbol's slot is."""
    known = set(intents()[intent].slot_names)
    text = re.sub(r"\{class\}\.\{(symbol|function|variable|parameter|name)\}", r"{\1}", text)
    pieces: list[str] = [""]
    at = 0
    for match in _SLOT.finditer(text):
        if match[1] not in known:
            continue
        pieces[-1] += text[at : match.start()]
        pieces += [match[1], ""]
        at = match.end()
    pieces[-1] += text[at:]
    return Sentence(intent, tuple(pieces))


def variants(text: str) -> list[str]:
    """A sentence with `[[choices|of words]]` written out, in at most `MOST_VARIANTS` ways."""
    pieces = _CHOICE.split(text)
    pieces[1::2] = ["\0" + piece for piece in pieces[1::2]]
    ways = list(product(*([*piece[1:].split("|")] if piece[:1] == "\0" else [piece] for piece in pieces)))
    chosen = Random(text).sample(ways, min(len(ways), MOST_VARIANTS))
    return [re.sub(r"(?<=\S)  +", " ", "".join(way)).strip() for way in chosen]


def read_voice(path: Path) -> Voice:
    """A voice from its file, its choices written out. Sentences of intents that are gone are left out."""
    data = tomllib.loads(path.read_text("utf-8"))
    language = str(data["voice"]["language"]).lower()
    sentences = {
        intent: tuple(parse_sentence(intent, variant) for text in texts for variant in variants(text))
        for intent, texts in data["sentences"].items()
        if intent in intents()
    }
    conditions = {key: tuple(forms) for key, forms in data.get("conditions", {}).items() if forms}
    return Voice(path.stem, _LANGUAGES.get(language, language[:2]), sentences, conditions)


def voices(folder: Path = FOLDER) -> list[Voice]:
    """All voices, in the order of their names."""
    return [read_voice(path) for path in sorted(folder.glob("*.toml"))]


def for_training(every: Iterable[Voice]) -> list[Voice]:
    return [voice for voice in every if not voice.held_out]
