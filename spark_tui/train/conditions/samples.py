"""Conditions with the tests that they mean, and the numbers that the ranker is trained on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.conditions.candidates import ConditionPlace, candidate_tests
from spark_tui.intent.conditions.likely_tests import ACTIONS
from spark_tui.intent.conditions.predicates import KIND, Predicate, predicate_of
from spark_tui.intent.conditions.ranking_features import dense_features, name_ids, phrase_ids
from spark_tui.pysource.source import Function, Source
from spark_tui.workspace import json_lines

LABELLED = Path(__file__).with_name("labelled.jsonl.gz")
OTHERS = 80
"""How many wrong candidates a made or mined example keeps."""


@dataclass(frozen=True)
class Example:
    """A condition as it is said, and the tests that it may mean at a place."""

    phrase: str
    instruction: str
    action: str
    place: ConditionPlace
    tests: frozenset[Predicate]
    writer: str = ""


@dataclass(frozen=True)
class Sample:
    """The candidates of an example as numbers; `right` are those that it means."""

    ids: NDArray[Any]
    dense: NDArray[Any]
    kinds: NDArray[Any]
    names: NDArray[Any]
    right: NDArray[Any]
    writer: str
    weight: float = 1.0

    def part(self, rng: Random, others: int) -> Sample:
        """The sample with the right candidates and some of the others."""
        wrong = [at for at, one in enumerate(self.right) if not one]
        if len(wrong) <= others:
            return self
        kept = sorted([*np.flatnonzero(self.right), *rng.sample(wrong, others)])
        cut = {name: getattr(self, name)[kept] for name in ("dense", "kinds", "names", "right")}
        return replace(self, **cut)


def sample_of(example: Example, rng: Random | None = None) -> Sample | None:
    """The numbers of an example; None where there is nothing to choose from. With `rng`, only some of the
    wrong candidates are kept."""
    found = candidate_tests(example.phrase, example.place)
    if rng is not None and len(found) > OTHERS:
        kept = set(rng.sample(range(len(found)), OTHERS))
        found = [each for at, each in enumerate(found) if at in kept or each.test in example.tests]
    if not found:
        return None
    return Sample(
        np.array(phrase_ids(example.phrase, example.instruction, example.action), np.int64),
        dense_features(example.phrase, example.instruction, found, example.place).astype(np.float16),
        np.array([KIND[candidate.test.kind] for candidate in found], np.int64),
        name_ids(found).astype(np.int64),
        np.array([candidate.test in example.tests for candidate in found]),
        example.writer,
    )


@dataclass(frozen=True)
class Program:
    """A small program by a writer, with what was asked for in it."""

    writer: str
    source: Source
    conditions: list[dict[str, Any]]

    def functions(self) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, ast.ClassDef | None]]:
        """The functions of the program by their qualified names, with the class of a method."""
        owner: ast.ClassDef | None
        for node in ast.walk(self.source.tree or ast.Module([], [])):
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, Function):
                    owner = node if isinstance(node, ast.ClassDef) else None
                    yield f"{owner.name}.{inner.name}" if owner is not None else inner.name, inner, owner


def programs() -> list[Program]:
    """The programs of `labelled.jsonl.gz`."""
    found = json_lines.read(LABELLED)
    return [Program(item["writer"], Source(item["source"]), item["conditions"]) for item in found]


def labelled(programs: list[Program]) -> Iterator[Example]:
    """The conditions of the writers with the tests that were written down for them."""
    for program in programs:
        functions = {name: (node, owner) for name, node, owner in reversed([*program.functions()])}
        for condition in program.conditions:
            node, owner = functions[condition["function"]]
            tests = (predicate_of(ast.parse(code, mode="eval").body) for code in condition["tests"])
            yield Example(
                condition["text"],
                condition["instruction"],
                ACTIONS.get(condition["intent"], "other"),
                ConditionPlace.of(node, program.source, owner),
                frozenset(test for test in tests if test is not None),
                program.writer,
            )
