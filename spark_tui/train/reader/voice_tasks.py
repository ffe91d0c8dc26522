"""Tasks of `spark eval tasks` by the held-out voices, or by others:
`python -m spark_tui.train.reader.voice_tasks FILE [--voices NAME,NAME] [--each 34]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.words import word_set
from spark_tui.train.generated import programs
from spark_tui.train.reader.cases import record_of
from spark_tui.train.sentences.code_facts import scene_of
from spark_tui.train.sentences.examples import Composer
from spark_tui.train.sentences.wordings import HELD_OUT, Voice, voices
from spark_tui.workspace import json_lines

PER_VOICE = 34
MOST_LINES = 95
_TRIES = 12
"""Programs that are tried for each task."""
_NAMES = ("orders", "report", "bot", "store", "client", "jobs")
_OTHER_FILES = word_set(
    "rename_file move_definition set_key remove_key substitute insert_line delete_lines add_test"
)
_NO_EDIT = word_set("write question chat impossible")
_GUESSED = (
    *(DoubtKind.MADE_UP, DoubtKind.MESSAGE, DoubtKind.TAKEN_FOR, DoubtKind.SYMBOLS, DoubtKind.DROPPED),
)


def tasks(voice: Voice, rng: Random, many: int = PER_VOICE) -> Iterator[dict[str, str]]:
    """Tasks of one voice: those whose gold reading gives one edit of the program, without a guess."""
    names = [item for item in voice.sentences if item not in _OTHER_FILES | _NO_EDIT and "amend." not in item]
    found = 0
    for _ in range(_TRIES * many):
        if found == many:
            return
        text = programs.program(rng)
        path = f"app/{rng.choice(_NAMES)}.py"
        scene = scene_of(path, text) if text and text.count("\n") <= MOST_LINES else None
        if text is None or scene is None:
            continue
        sentence = rng.choice(voice.sentences[rng.choice(names)])
        record = record_of(Composer([voice], [scene], rng).single(voice, sentence), scene.roles)
        after = _after(record["text"], record["orders"][0], path, text)
        if after is not None:
            task = {"id": f"{voice.name}/{found}", "path": path, "before": text, "kind": voice.name}
            yield {**task, "instruction": record["text"], "after": after}
            found += 1


def _after(instruction: str, order: Mapping[str, Any], path: str, text: str) -> str | None:
    """What the call with the right words makes of a program; None where that is not one certain edit."""
    slots = {
        name: tuple(_span(instruction, item) for item in texts) for name, texts in order["slots"].items()
    }
    reading = Reading(order["intent"], 1.0, slots)
    repo = Repository(DictTree({path: text}))
    situation = Situation(repo, path, instruction=instruction)
    found = answer_orders((Order(0, len(instruction), (reading,)),), situation)
    if found.kind != "edit" or any(is_of(mark, *_GUESSED) for mark in found.ways[0].marked):
        return None
    after = found.ways[0].plan.texts(repo).get(path)
    return after if after != text else None


def _span(instruction: str, text: str) -> Span:
    start = max(instruction.find(text), 0)
    return Span(start, start + len(text), text, start > 0 and instruction[start - 1] in "`\"'")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m spark_tui.train.reader.voice_tasks", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--voices", default=",".join(HELD_OUT))
    parser.add_argument("--each", type=int, default=PER_VOICE)
    args = parser.parse_args(arguments)
    rng, chosen = Random(20261121), set(args.voices.split(","))
    found = (task for voice in voices() if voice.name in chosen for task in tasks(voice, rng, args.each))
    json_lines.write(args.file, found)


if __name__ == "__main__":
    main(sys.argv[1:])
