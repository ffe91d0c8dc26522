"""Instructions of the kinds of edits that the language model is trained on: more words to learn.

Kinds that are calls are said in their templates, with their slots; of the others only the intent is known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from random import Random

from spark_tui.intent.reading.symbol_roles import RoleTable
from spark_tui.train import dataset
from spark_tui.train.calls import edits
from spark_tui.train.calls.kind_table import CallKind, call_kinds
from spark_tui.train.corpus import Module
from spark_tui.train.examples import Mixer, common_names
from spark_tui.train.kind_cases import AnyKind
from spark_tui.train.kinds import KINDS
from spark_tui.train.sentences.code_facts import Scene
from spark_tui.train.sentences.examples import InstructionExample, PlacedOrder
from spark_tui.train.sentences.rendering import Writing
from spark_tui.train.templates.tables import table

WEIGHT = 0.5
VOICE = "generators"
TRIES = 12


def kind_examples(modules: Sequence[Module], count: int, rng: Random) -> Iterator[InstructionExample]:
    """So many instructions, each kind in its turn."""
    windows = dataset.cut(list(modules), dataset.STAGES["middle"], rng)
    if not windows or not count:
        return
    mixer = Mixer(windows, common_names(windows), rng)
    kinds = kinds_said()
    made = turn = 0
    while made < count and turn < 20 * count:
        kind, intent = kinds[turn % len(kinds)]
        turn += 1
        found = _called(mixer, kind) if isinstance(kind, CallKind) else _written(mixer, kind, intent)
        if found is not None:
            made += 1
            yield found


def kinds_said() -> list[tuple[AnyKind, str]]:
    """The kinds that have words of their own, each with what it asks for."""
    called: list[tuple[AnyKind, str]] = [(kind, kind.intent) for kind in call_kinds().values() if kind.seen]
    rows = table("sentences/kind_intents").items()
    return [*called, *((KINDS[kind], intent) for intent, kinds in rows for kind in kinds)]


def _called(mixer: Mixer, kind: CallKind) -> InstructionExample | None:
    """An instruction in a template of the kind, about a window."""
    window = mixer.window_with(kind)
    scene = edits.scene_in(window) if window is not None else None
    sentence = kind.template(mixer.rng)
    if scene is None or sentence is None:
        return None
    order = edits.ask(sentence, None, scene, mixer.rng, kind.sources)
    return InstructionExample(
        order.writing, (PlacedOrder(0, kind.intent, False),), "", VOICE, "en", scene, WEIGHT
    )


def _written(mixer: Mixer, kind: AnyKind, intent: str) -> InstructionExample | None:
    case = mixer.edit(kind, tries=TRIES)
    if case is None:
        return None
    text = case.instruction + ("\n" + case.error if case.error else "")
    scene = Scene(case.path, [], [], {}, [], [], _roles(case.path, case.before))
    asked = (PlacedOrder(0, intent, False),)
    return InstructionExample(Writing(text), asked, "", VOICE, "en", scene, WEIGHT, slots_known=False)


def _roles(path: str, text: str) -> RoleTable:
    roles = RoleTable()
    roles.add_path(path)
    try:
        roles.add_tree(ast.parse(text))
    except SyntaxError:
        return roles
    return roles
