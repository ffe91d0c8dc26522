"""Instructions of the edit generators of `train/kinds`, in their training wordings: more words to learn.

Only the intent is known of them; the loss of slots leaves them out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from random import Random

from spark_tui.intent.symbol_roles import RoleTable
from spark_tui.train import dataset
from spark_tui.train.corpus import Module
from spark_tui.train.examples import Mixer, pools_of
from spark_tui.train.kinds import KINDS
from spark_tui.train.reader.examples import Asked, Example
from spark_tui.train.reader.filling_tables import toml_table
from spark_tui.train.reader.saying import Writing
from spark_tui.train.reader.scenes import Scene

WEIGHT = 0.5
VOICE = "generators"
TRIES = 12


def kind_examples(modules: Sequence[Module], count: int, rng: Random) -> Iterator[Example]:
    """So many instructions, each kind in its turn."""
    windows = dataset.cut(list(modules), dataset.STAGES["middle"], rng)
    if not windows or not count:
        return
    mixer = Mixer(windows, pools_of(windows), rng)
    pairs = [(kind, intent) for intent, kinds in toml_table("kind_intents").items() for kind in kinds]
    made = turn = 0
    while made < count and turn < 20 * count:
        kind, intent = pairs[turn % len(pairs)]
        turn += 1
        case = mixer.edit(KINDS[kind], tries=TRIES)
        if case is None:
            continue
        made += 1
        text = case.instruction + ("\n" + case.error if case.error else "")
        scene = Scene(case.path, [], [], {}, [], [], _roles(case.path, case.before))
        asked = (Asked(0, intent, False),)
        yield Example(Writing(text), asked, "", VOICE, "en", scene, WEIGHT, slots_known=False)


def _roles(path: str, text: str) -> RoleTable:
    roles = RoleTable()
    roles.add_path(path)
    try:
        roles.add_tree(ast.parse(text))
    except SyntaxError:
        return roles
    return roles
