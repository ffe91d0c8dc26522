"""Makes packs of examples in several processes: scenes from modules and programs, then sentences in them."""

from __future__ import annotations

import multiprocessing
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.symbol_roles import RoleTable
from spark_tui.train.corpus import Module
from spark_tui.train.generated import programs
from spark_tui.train.generated.snippet_generator import NOUNS
from spark_tui.train.reader.asked import Asked
from spark_tui.train.reader.asked_variants import Variants
from spark_tui.train.reader.dataset import Packed, Packer
from spark_tui.train.sentences.code_facts import Scene, scene_of
from spark_tui.train.sentences.examples import Composer
from spark_tui.train.sentences.filling_tables import words
from spark_tui.train.sentences.wordings import Voice

PROGRAM_SHARE = 0.55
"""Share of scenes that are made-up programs, with names of shops, bots and games."""
NO_ROLES = 0.06
"""Share of examples for which no name of the repository is known, as before it is indexed."""
MOST_BESIDE = 14
REWORDED = 0.4
"""Share of orders of which some words are exchanged."""


@dataclass(frozen=True)
class PackPlan:
    """What one process makes."""

    voices: Sequence[Voice]
    modules: Sequence[Module]
    programs: int
    examples: int
    seed: int
    asked: Sequence[Asked] = ()
    asked_times: int = 1


class Repositories:
    """The roles of a scene's names and of those of other modules beside it."""

    def __init__(self, scenes: Sequence[Scene], rng: Random) -> None:
        self.rng = rng
        self.scenes = scenes
        self.tables: dict[int, RoleTable] = {}
        self.none = RoleTable()

    def roles(self, scene: Scene) -> RoleTable:
        if self.rng.random() < NO_ROLES:
            return self.none
        key = id(scene)
        if key not in self.tables:
            table = RoleTable()
            table.merge(scene.roles)
            for other in self.rng.sample(
                self.scenes, min(len(self.scenes), self.rng.randint(0, MOST_BESIDE))
            ):
                table.merge(other.roles)
            for file in (*words("config_files"), *words("text_files")):
                if self.rng.random() < 0.8:
                    table.add_path(file)
            for name in words("config_keys"):
                table.add(name, "config_key")
            self.tables[key] = table
        return self.tables[key]


def scenes_of(modules: Sequence[Module], made: int, rng: Random) -> list[Scene]:
    """Scenes of modules, and of so many made-up programs."""
    scenes = [scene for module in modules if (scene := scene_of(module.path, module.text)) is not None]
    folders = words("folders")
    while made > 0:
        text = programs.program(rng)
        if text is None:
            continue
        made -= 1
        name = rng.choice(NOUNS) if rng.random() < 0.7 else f"{rng.choice(NOUNS)}_{rng.choice(NOUNS)}"
        folder = rng.choice(folders) + "/" if rng.random() < 0.6 else ""
        scene = scene_of(f"{folder}{name}.py", text)
        if scene is not None:
            scenes.append(scene)
    return scenes


def make_pack(plan: PackPlan) -> Packed:
    """The examples of one process."""
    rng = Random(plan.seed)
    scenes = scenes_of(plan.modules, plan.programs, rng)
    composer = Composer(plan.voices, scenes, rng, REWORDED)
    repositories = Repositories(scenes, rng)
    packer = Packer(tuple(intents().values()), rng)
    while len(packer.packed) < plan.examples:
        example = composer.example()
        packer.add(example, repositories.roles(example.scene))
    for example, roles in Variants(plan.asked, rng).copies(plan.asked_times):
        packer.add(example, roles)
    return packer.done()


def plans(
    voices: Sequence[Voice],
    modules: Sequence[Module],
    examples: int,
    processes: int,
    *,
    scenes: int,
    seed: int,
    asked: Sequence[Asked] = (),
    asked_times: int = 1,
) -> list[PackPlan]:
    """The work of some processes. Each has its own code."""
    rng = Random(seed)
    wanted = int(scenes * (1 - PROGRAM_SHARE))
    by_package: dict[str, list[Module]] = defaultdict(list)
    for module in modules:
        by_package[module.package].append(module)
    chosen: list[Module] = []
    names = sorted(by_package)
    while len(chosen) < min(wanted, len(modules)):
        for name in names:
            if by_package[name]:
                chosen.append(by_package[name].pop(rng.randrange(len(by_package[name]))))
    rng.shuffle(chosen)
    made = int(scenes * PROGRAM_SHARE) // processes
    share = examples // processes
    return [
        PackPlan(
            voices,
            chosen[number:wanted:processes],
            made,
            share,
            seed + number,
            asked[number::processes],
            asked_times,
        )
        for number in range(processes)
    ]


def make_packs(work: Sequence[PackPlan]) -> list[Packed]:
    if len(work) == 1:
        return [make_pack(work[0])]
    with multiprocessing.get_context("spawn").Pool(len(work)) as pool:
        return pool.map(make_pack, work)
