"""Composes instructions: sentences filled with real code, joined, with exceptions and follow-ups."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from types import MappingProxyType

from spark_tui.intent.reading.intent_table import Intent, intents
from spark_tui.intent.reading.network import LEFT_OUT
from spark_tui.train.sentences.code_facts import Scene
from spark_tui.train.sentences.fillers import Filler
from spark_tui.train.sentences.filling_tables import source_of, words
from spark_tui.train.sentences.pronouns import about_the_same
from spark_tui.train.sentences.rendering import SlotText, Writing, disturb, say, trimmed
from spark_tui.train.sentences.synonyms import in_other_words
from spark_tui.train.sentences.wordings import Sentence, Voice
from spark_tui.train.templates.tables import table

SEVERAL = 0.26
THREE = 0.2
"""Share of instructions with more than one order, and of those the share with three."""
NUMBERED, ELIDED, ANY_VOICE = 0.25, 0.25, 0.4
"""Of several orders: how many are numbered, leave out a verb that they share, or are said by any voice."""
SAME = 0.2
"""How many of several orders say *it* of what the order before named."""
LISTED = 0.05
"""Share of slots that name two things: `catch KeyError and ValueError`."""
_LISTED = frozenset(("exception", "parameter", "function", "module", "symbol", "variable", "name", "call"))
_NOT_LISTED = frozenset(("rename", "swap_parameters", "set_value", "annotate_variable", "annotate_parameter"))
EXCEPT = 0.06
EVERYWHERE = 0.06
POLITE = 0.08
CONTEXT = 0.2
"""Share of orders that are given with a reason, a remark or a heading, and of those that with a place: the
others name things that are none of the order's business."""
HEADED = 0.3
"""How many of several orders begin with an order that is given so."""
PLACED = 0.5
BEHIND = 0.2
"""Share of ordinary orders that are given after an earlier one."""
PATTERN_WEIGHT = 0.7
AMEND_WEIGHT = 0.8
COMMON_WEIGHT = 1.6
NO_EDIT_WEIGHT = 5.0
"""What is no edit is said in more ways than an edit, and names the same things."""
NO_EDIT = frozenset({"question", "chat", "impossible", "write"})
_NOT_WIDE = frozenset({*NO_EDIT, "fix_error", "delete_lines", "insert_line", "rename_file", "add_test"})
TRIES = 4


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """One order within an instruction: where it begins and what it is."""

    start: int
    intent: str
    everywhere: bool


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """An instruction and what is in it."""

    writing: Writing
    orders: tuple[PlacedOrder, ...]
    earlier: str
    voice: str
    language: str
    scene: Scene


class Composer:
    """Draws examples from voices and scenes."""

    def __init__(
        self, voices: Sequence[Voice], scenes: Sequence[Scene], rng: Random, reworded: float = 0.0
    ) -> None:
        self.voices, self.scenes, self.rng, self.reworded = voices, scenes, rng, reworded
        self.table: Mapping[str, Intent] = intents()
        self.names = [name for name in self.table if any(name in voice.sentences for voice in voices)]
        self.weights = [self._weight(name) for name in self.names]
        self.loud = [len(tuple(chain(*voice.sentences.values()))) ** 0.5 for voice in voices]
        self.by_language: dict[str, list[Voice]] = defaultdict(list)
        self.by_verb: dict[str, dict[str, list[Sentence]]] = defaultdict(lambda: defaultdict(list))
        for voice in voices:
            self.by_language[voice.language].append(voice)
            for item in chain(*voice.sentences.values()):
                verb, _, rest = item.pieces[0].partition(" ")
                if rest and not self.table[item.intent].amends and item.intent not in NO_EDIT:
                    self.by_verb[voice.language][verb.lower()].append(item)

    def _weight(self, name: str) -> float:
        if name in NO_EDIT:
            return NO_EDIT_WEIGHT
        if name in words("common_intents"):
            return COMMON_WEIGHT
        return PATTERN_WEIGHT if name.startswith("pattern.") else AMEND_WEIGHT if "amend." in name else 1.0

    def example(self) -> InstructionExample:
        rng = self.rng
        voice, scene = rng.choices(self.voices, self.loud)[0], rng.choice(self.scenes)
        first = self._intent(voice)
        made = self.order(voice, scene, rng.choice(voice.sentences[first]))
        everywhere = self._surround(made, first, voice.language, scene)
        orders = [PlacedOrder(0, first, everywhere)]
        if first not in NO_EDIT and not self.table[first].amends and rng.random() < SEVERAL:
            if rng.random() < HEADED:
                made = self._in_context(made, self.table[first], voice, scene)
            self._add_orders(made, orders, voice, scene)
        elif not self.table[first].amends and rng.random() < CONTEXT:
            made = self._in_context(made, self.table[first], voice, scene)
        made = trimmed(self._typed(made, orders, voice.language))
        return InstructionExample(
            made, tuple(orders), self.earlier_for(first), voice.name, voice.language, scene
        )

    def single(self, voice: Voice, sentence: Sentence) -> InstructionExample:
        """A sentence with its slots filled, and nothing else done to it."""
        scene = self.rng.choice(self.scenes)
        made = trimmed(self.order(voice, scene, sentence))
        asked = (PlacedOrder(0, sentence.intent, False),)
        earlier = self.earlier_for(sentence.intent) if self.table[sentence.intent].amends else ""
        return InstructionExample(made, asked, earlier, voice.name, voice.language, scene)

    def _typed(self, made: Writing, orders: list[PlacedOrder], language: str) -> Writing:
        """The text with its noise; the beginnings of orders move along with it."""
        marked = Writing(made.text, made.mentions)
        for place, order in enumerate(orders):
            marked.mentions += (SlotText(order.start, order.start, f"\0{place}"),)
        typed = disturb(marked, self.rng, language)
        starts = {int(m.slot[1:]): m.start for m in typed.mentions if m.slot.startswith("\0")}
        for place, order in enumerate(orders):
            orders[place] = PlacedOrder(starts[place], order.intent, order.everywhere)
        return Writing(typed.text, tuple(m for m in typed.mentions if not m.slot.startswith("\0")))

    def _intent(self, voice: Voice) -> str:
        while True:
            name = self.rng.choices(self.names, self.weights)[0]
            if name in voice.sentences:
                return name

    def _add_orders(self, made: Writing, orders: list[PlacedOrder], voice: Voice, scene: Scene) -> None:
        """One or two further orders, joined by connectives or as the points of a list."""
        rng = self.rng
        phrases = table("sentences/phrases")
        own = phrases.get(voice.language, phrases["en"])
        many = 2 if rng.random() < THREE else 1
        if rng.random() < NUMBERED:
            first, *joins = rng.choice((*phrases["points"], *own.get("points", ())))
            made.lead(rng.choice(("", *own["leads"])) + first)
        else:
            # Half of them by the few that people use most.
            known = own["joins"] if rng.random() < 0.5 else own["joins"][:5]
            joins = [rng.choice(known) for _ in range(many)]
        for join in joins[:many]:
            speaker = voice if rng.random() >= ANY_VOICE else rng.choice(self.by_language[voice.language])
            self._append(made, orders, speaker, scene, join)

    def _append(
        self, made: Writing, orders: list[PlacedOrder], voice: Voice, scene: Scene, join: str
    ) -> None:
        """A further order after a connective."""
        rng = self.rng
        name = self._intent(voice)
        while name in NO_EDIT or self.table[name].amends:
            name = self._intent(voice)
        sentence, shared = rng.choice(voice.sentences[name]), ""
        if rng.random() < ELIDED:
            shared = made.text[orders[-1].start :].lstrip(" ,;.").partition(" ")[0].lower()
            same = self.by_verb[voice.language].get(shared, ())
            sentence, shared = (rng.choice(same), shared) if same else (sentence, "")
        elif rng.random() < SAME:
            sentence = about_the_same(sentence, made, orders[-1].start, voice.language, rng)
        more = self.order(voice, scene, sentence)
        if shared:
            cut = len(shared) + 1
            moved = (SlotText(m.start - cut, m.end - cut, m.slot) for m in more.mentions)
            more = Writing(more.text[cut:], tuple(moved))
        made.text = made.text.rstrip(".!?。！ ")
        start = len(made.text)
        made.put(join)
        if not join.rstrip(" ").endswith((".", "\n", "-", ":", ")", "*", "。")) and rng.random() < 0.8:
            more.text = _lower_first(more)
        made.join(more)
        orders.append(PlacedOrder(start, sentence.intent, False))

    def order(self, voice: Voice, scene: Scene, sentence: Sentence) -> Writing:
        """A sentence filled with what stands in one function of the scene."""
        rng, language = self.rng, voice.language
        if rng.random() < self.reworded:
            sentence = in_other_words(sentence, language, rng)

        def filler() -> Filler:
            return Filler(scene, rng.choice(scene.functions), rng, language, voice.conditions)

        return least_invented(sentence, filler, TRIES, language=language)

    def _surround(self, made: Writing, intent: str, language: str, scene: Scene) -> bool:
        """Adds an exception, *everywhere* or politeness; says whether every place is meant."""
        rng = self.rng
        phrases = table("sentences/phrases").get(language)
        if phrases is None:
            return False
        if not self.table[intent].amends and rng.random() < POLITE:
            made.text = _lower_first(made)
            made.lead(rng.choice(phrases["before"]))
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

    def _in_context(self, made: Writing, intent: Intent, voice: Voice, scene: Scene) -> Writing:
        """The order with a clause around it. A place that it does not name yet is its own."""
        rng, contexts = self.rng, table("sentences/contexts")[voice.language]
        sources: Mapping[str, str] = table("sentences/slot_sources")["default"]
        filler = Filler(scene, rng.choice(scene.functions), rng, voice.language)
        slots = {mention.slot for mention in made.mentions}
        free = [item for item in ("function", "function", "class", "file") if item in intent.slot_names]
        free = [item for item in free if item not in slots]
        before = rng.random() < 0.65
        own = bool(free) and rng.random() < PLACED
        text = rng.choice(
            contexts[("headings" if own else "reasons") if before else "places" if own else "remarks"]
        )
        clause = Writing()
        pieces = re.split(r"\{(\w+)\}", text)
        slot = rng.choice(free) if own else ""
        for at, piece in enumerate(pieces):
            if at % 2 == 0:
                clause.put(piece)
            else:
                source = sources.get(slot or piece, piece)
                say(clause, slot, filler.draw(source), pieces[at + 1], rng)
        if before:
            clause.join(made if text.endswith((". ", "\n")) else Writing(_lower_first(made), made.mentions))
            return clause
        made.text = made.text.rstrip(".!。！ ")
        made.join(clause)
        return made

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
        doable = [name for name in self.names if name not in NO_EDIT and not self.table[name].amends]
        if not self.table[intent].amends:
            if rng.random() >= BEHIND or not doable:
                return ""
            return intent if rng.random() < 0.3 and intent in doable else rng.choice(doable)
        wanted = set(table("sentences/amended").get(intent.partition(".")[2], ()))
        fitting = [name for name in doable if wanted & set(self.table[name].slot_names) or not wanted]
        return rng.choice(fitting or doable)


def least_invented(
    sentence: Sentence,
    filler: Callable[[], Filler],
    tries: int,
    sources: Mapping[str, str] = MappingProxyType({}),
    language: str = "",
) -> Writing:
    """A sentence filled around several functions: the text with the least that their code does not have."""
    found: list[tuple[int, Writing]] = []
    while len(found) < tries and (not found or found[-1][0]):
        own = filler()
        made = filled(sentence, own, sources, language)
        found.append((own.invented, made))
    return min(found, key=lambda item: item[0])[1]


def filled(
    sentence: Sentence, filler: Filler, sources: Mapping[str, str] = MappingProxyType({}), language: str = ""
) -> Writing:
    """A sentence with a text for each slot, from the source that is named for it or that its intent has. With
    a language, a slot may name two things."""
    rng, once = filler.rng, sentence.slots
    said_from = {slot: sources.get(slot) or source_of(sentence.intent, slot) for slot in dict.fromkeys(once)}
    texts = {slot: filler.draw(source) for slot, source in said_from.items()}
    writing = Writing()
    for place, piece in enumerate(sentence.pieces):
        if place % 2 == 0:
            writing.put(piece)
            continue
        following = sentence.pieces[place + 1]
        say(writing, piece, texts[piece], following, rng)
        alone = (
            once.count(piece) == 1 and sentence.intent not in _NOT_LISTED and following[:1] in ("", " ", ",")
        )
        if language and piece in _LISTED and alone and rng.random() < LISTED:
            source = said_from[piece]
            more = filler.draw("other_function" if source == "function" else source)
            if more[0] != texts[piece][0]:
                writing.put(rng.choice(table("sentences/phrases")[language]["lists"]))
                say(writing, piece, more, following, rng)
    return writing


def _lower_first(writing: Writing) -> str:
    if any(mention.start == 0 for mention in writing.mentions):
        return writing.text
    return writing.text[:1].lower() + writing.text[1:]
