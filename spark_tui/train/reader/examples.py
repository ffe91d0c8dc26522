"""Composes instructions: sentences filled with real code, joined, with exceptions and follow-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from spark_tui.intent.intent_table import Intent, intents
from spark_tui.intent.network import LEFT_OUT
from spark_tui.train.reader.fillers import Filler
from spark_tui.train.reader.filling_tables import source_of, toml_table
from spark_tui.train.reader.saying import Mention, Writing, disturb, say, trimmed
from spark_tui.train.reader.scenes import Scene
from spark_tui.train.reader.wordings import Sentence, Voice

SEVERAL = 0.14
THREE = 0.25
"""Share of instructions with more than one order, and of those the share with three."""
EXCEPT = 0.06
EVERYWHERE = 0.06
POLITE = 0.08
BEHIND = 0.2
"""Share of ordinary orders that are given behind an earlier one."""
PATTERN_WEIGHT = 0.7
AMEND_WEIGHT = 0.8
_NO_EDIT = frozenset({"question", "chat", "impossible", "write"})
_NOT_WIDE = frozenset({*_NO_EDIT, "fix_error", "delete_lines", "insert_line", "rename_file", "add_test"})
TRIES = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """One order within an instruction: where it begins and what it is."""

    start: int
    intent: str
    everywhere: bool


@dataclass(frozen=True, slots=True)
class Example:
    """An instruction and what is in it."""

    writing: Writing
    orders: tuple[Asked, ...]
    earlier: str
    voice: str
    language: str
    scene: Scene
    weight: float = 1.0
    slots_known: bool = True


class Composer:
    """Draws examples from voices and scenes."""

    def __init__(self, voices: Sequence[Voice], scenes: Sequence[Scene], rng: Random) -> None:
        self.voices, self.scenes, self.rng = voices, scenes, rng
        self.table: Mapping[str, Intent] = intents()
        self.names = [name for name in self.table if any(name in voice.sentences for voice in voices)]
        self.weights = [self._weight(name) for name in self.names]

    def _weight(self, name: str) -> float:
        if name in _NO_EDIT:
            return 3.0
        return PATTERN_WEIGHT if name.startswith("pattern.") else AMEND_WEIGHT if "amend." in name else 1.0

    def example(self) -> Example:
        """An instruction by one voice."""
        rng = self.rng
        voice, scene = rng.choice(self.voices), rng.choice(self.scenes)
        first = self._intent(voice)
        made = self.order(voice, scene, rng.choice(voice.sentences[first]))
        everywhere = self._surround(made, first, voice.language, scene)
        orders = [Asked(0, first, everywhere)]
        if first not in _NO_EDIT and not self.table[first].amends and rng.random() < SEVERAL:
            for _ in range(2 if rng.random() < THREE else 1):
                self._append(made, orders, voice, scene)
        made = trimmed(self._typed(made, orders, voice.language))
        return Example(made, tuple(orders), self.earlier_for(first), voice.name, voice.language, scene)

    def single(self, voice: Voice, sentence: Sentence) -> Example:
        """A sentence with its slots filled, and nothing else done to it."""
        scene = self.rng.choice(self.scenes)
        made = trimmed(self.order(voice, scene, sentence))
        asked = (Asked(0, sentence.intent, False),)
        earlier = self.earlier_for(sentence.intent) if self.table[sentence.intent].amends else ""
        return Example(made, asked, earlier, voice.name, voice.language, scene)

    def _typed(self, made: Writing, orders: list[Asked], language: str) -> Writing:
        """The text with its noise; the beginnings of orders move along with it."""
        marked = Writing(made.text, made.mentions)
        for place, order in enumerate(orders):
            marked.mentions += (Mention(order.start, order.start, f"\0{place}"),)
        typed = disturb(marked, self.rng, language)
        starts = {int(m.slot[1:]): m.start for m in typed.mentions if m.slot.startswith("\0")}
        for place, order in enumerate(orders):
            orders[place] = Asked(starts[place], order.intent, order.everywhere)
        return Writing(typed.text, tuple(m for m in typed.mentions if not m.slot.startswith("\0")))

    def _intent(self, voice: Voice) -> str:
        while True:
            name = self.rng.choices(self.names, self.weights)[0]
            if name in voice.sentences:
                return name

    def _append(self, made: Writing, orders: list[Asked], voice: Voice, scene: Scene) -> None:
        """A further order of the same voice, behind a connective."""
        rng = self.rng
        name = self._intent(voice)
        while name in _NO_EDIT or self.table[name].amends:
            name = self._intent(voice)
        more = self.order(voice, scene, rng.choice(voice.sentences[name]))
        phrases = toml_table("phrases")
        joins = phrases.get(voice.language, phrases["en"])["joins"]
        made.text = made.text.rstrip(".!?。！ ")
        start = len(made.text)
        made.put(rng.choice(joins))
        if not made.text.rstrip(" ").endswith((".", "\n", "-", ":", "。")) and rng.random() < 0.8:
            more.text = _lower_first(more)
        made.join(more)
        orders.append(Asked(start, name, False))

    def order(self, voice: Voice, scene: Scene, sentence: Sentence) -> Writing:
        """A sentence filled with what stands in one function of the scene."""
        best: tuple[int, Writing] | None = None
        for _ in range(TRIES):
            function = self.rng.choice(scene.functions)
            filler = Filler(scene, function, self.rng, voice.language, voice.conditions)
            made = filled(sentence, filler)
            if best is None or filler.invented < best[0]:
                best = filler.invented, made
            if not filler.invented:
                break
        assert best is not None
        return best[1]

    def _surround(self, made: Writing, intent: str, language: str, scene: Scene) -> bool:
        """Adds an exception, *everywhere* or politeness; says whether every place is meant."""
        rng = self.rng
        phrases = toml_table("phrases").get(language)
        if phrases is None:
            return False
        if not self.table[intent].amends and rng.random() < POLITE:
            made_before = Writing(rng.choice(phrases["before"]))
            made_before.join(Writing(_lower_first(made), made.mentions))
            made.text, made.mentions = made_before.text, made_before.mentions
        everywhere = False
        if intent not in _NOT_WIDE and not self.table[intent].amends:
            draw = rng.random()
            if draw < EVERYWHERE:
                made.text = made.text.rstrip(".!。！ ")
                made.put(rng.choice(phrases["everywhere"]))
                everywhere = True
            if EVERYWHERE * 0.8 < draw < EVERYWHERE * 0.8 + EXCEPT:
                self._except(made, phrases, scene)
        if rng.random() < POLITE:
            made.text = made.text.rstrip(".!。！")
            made.put(rng.choice(phrases["after"]))
        return everywhere

    def _except(self, made: Writing, phrases: Mapping[str, Sequence[str]], scene: Scene) -> None:
        rng = self.rng
        made.text = made.text.rstrip(".!?。！ ")
        before, _, behind = rng.choice(phrases["except"]).partition("{place}")
        made.put(before)
        filler = Filler(scene, rng.choice(scene.functions), rng)
        kind = rng.random()
        if kind < 0.4:
            made.put(rng.choice(phrases["places"]), LEFT_OUT)
        else:
            source = "file" if kind < 0.6 else "function" if kind < 0.9 else "class_name"
            say(
                made,
                LEFT_OUT,
                (filler.new_path(), "file") if source == "file" else filler.draw(source),
                behind,
                rng,
            )
        made.put(behind)

    def earlier_for(self, intent: str) -> str:
        """An intent that was done before: needed by those that amend, given at times to others."""
        rng = self.rng
        doable = [name for name in self.names if name not in _NO_EDIT and not self.table[name].amends]
        if not self.table[intent].amends:
            if rng.random() >= BEHIND or not doable:
                return ""
            return intent if rng.random() < 0.3 and intent in doable else rng.choice(doable)
        wanted = set(toml_table("amended").get(intent.partition(".")[2], ()))
        fitting = [name for name in doable if wanted & set(self.table[name].slot_names) or not wanted]
        return rng.choice(fitting or doable)


def filled(sentence: Sentence, filler: Filler, sources: Mapping[str, str] = MappingProxyType({})) -> Writing:
    """A sentence with a text for each slot, from the source that is named for it or that its intent has."""
    texts = {
        slot: filler.draw(sources.get(slot) or source_of(sentence.intent, slot))
        for slot in dict.fromkeys(sentence.slots)
    }
    writing = Writing()
    for place, piece in enumerate(sentence.pieces):
        if place % 2 == 0:
            writing.put(piece)
        else:
            say(writing, piece, texts[piece], sentence.pieces[place + 1], filler.rng)
    return writing


def _lower_first(writing: Writing) -> str:
    if any(mention.start == 0 for mention in writing.mentions):
        return writing.text
    return writing.text[:1].lower() + writing.text[1:]
