"""Small programs read as applications do: each name is known, no two are alike, and rare forms are common in
them."""

from __future__ import annotations

import ast
import re
from functools import cache
from random import Random

import pytest

from spark_tui.train.corpus import Module
from spark_tui.train.dataset import DataStage, cut
from spark_tui.train.generated import program_names
from spark_tui.train.generated.program_names import ProgramNames
from spark_tui.train.generated.programs import GENRES, LONGEST, free_names, programs

WORDS = ["meadow", "kettle", "anchor", "violin"]


@cache
def some(most: int = 95) -> tuple[tuple[str, str], ...]:
    return tuple(programs(Random(7), WORDS, 120, most))


def test_a_program_binds_or_imports_each_name_that_it_uses() -> None:
    for path, text in some():
        assert path.endswith(".py")
        assert text.isascii()
        assert free_names(text) == [], text
        assert max(map(len, text.split("\n"))) <= LONGEST


def test_a_program_is_as_long_as_it_may_be() -> None:
    for most in (52, 95):
        lengths = [text.count("\n") for _, text in some(most)]
        assert max(lengths) <= most
        assert sorted(lengths)[40] > most // 2


def test_no_two_programs_are_alike() -> None:
    texts = [text for _, text in some()]
    functions = [name for text in texts for name in re.findall(r"def (\w+_\w+)", text)]
    assert len(set(texts)) == len(texts)
    assert len(set(functions)) > len(functions) * 0.7


@pytest.mark.parametrize(
    ("form", "least"),
    [
        (r'\A(?:"""|\'\'\')', 0.5),
        (r"\n\n(?:import|from) ", 0.3),
        (r"(?m)^[A-Z_]{2,} = ", 0.5),
        (r"(?m)^(?:async )?def \w+\(.*=", 0.4),
        (r"\w+\([^()\n]*\w+=[^()\n]*, \w+=", 0.3),
        (r"(?m)^\s+while (?:True|not )", 0.05),
        (r"async def ", 0.03),
        (r"(?m)[=(] ?\{$", 0.1),
        (r"@dataclass", 0.03),
        (r"def test_", 0.02),
        (r"(?m)^ *@[\w.]+\(", 0.15),
        (r"(?m)^.{80,}$", 0.2),
    ],
)
def test_what_libraries_rarely_hold_is_common(form: str, least: float) -> None:
    texts = [text for _, text in some()]
    assert sum(bool(re.search(form, text)) for text in texts) >= least * len(texts)


def test_every_part_parses_however_its_choices_fall() -> None:
    for table in sorted({table for tables in GENRES.values() for table in tables}):
        for part in program_names.split(table):
            for seed in range(3):
                ast.parse(program_names.fill(part, ProgramNames(Random(seed), WORDS)))


def test_a_stage_with_programs_cuts_its_share_of_them() -> None:
    source = "".join(
        f"def walk_{n}(rows):\n    for row in rows:\n        print(row)\n    return {n}\n\n\n"
        for n in range(40)
    )
    modules = [Module("lib", f"lib/m{n}.py", source, "train") for n in range(6)]
    plain = cut(modules, DataStage((20, 30), 640), Random(1))
    mixed = cut(modules, DataStage((20, 30), 640, programs=0.5), Random(1))
    assert len(mixed) == len(plain) + round(0.5 * len(plain))
