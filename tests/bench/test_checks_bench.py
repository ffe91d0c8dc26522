"""`spark bench checks`: its faults are faults, and its verdicts on fixes are right."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from spark_tui.bench import checks
from spark_tui.bench.faults import watch_cost
from spark_tui.bench.faults.seeding import INJECTORS, faults, misspelt
from spark_tui.bench.faults.trials import FaultTrials
from spark_tui.bench.packages import reached_tests
from spark_tui.bench.packages.copies import Package
from spark_tui.bench.packages.sandbox import Sandbox, sandbox
from spark_tui.cli.main import main

CODE = '''"""A shop."""

import asyncio
from pathlib import Path


class Shop:
    def __init__(self, prices, rates=None):
        self.prices = prices
        self.rates = rates

    def price(self, name, count=1):
        if self.rates is None:
            return self.prices[name] * count
        try:
            found = self.rates[name]
        except KeyError:
            raise ValueError(f"no rate of {name}") from None
        return max(self.prices[name] * found, count, key=float)

    def first(self, names):
        if len(names) == 0:
            return "none"
        for place in range(len(names)):
            print(names[place], names[0], names[-1])
        return sorted(names, reverse=True)

    async def load(self, path):
        await asyncio.sleep(0)
        with open(Path(path)) as stream:
            self.prices = stream.read()
'''
TESTS = (
    "from shop import Shop\n\n\ndef test_price():\n    assert Shop({'tea': 2}).price('tea', 3) == 6\n\n\n"
    "def test_fails_anyway():\n    assert Shop({}).price('tea') == 1\n"
)


@pytest.fixture(scope="module")
def within() -> Iterator[Sandbox]:
    with sandbox() as found:
        yield found


def of_kind(kind: str) -> list[str]:
    rng = random.Random(3)
    return [fault.after.decode() for fault in faults(kind, "shop.py", CODE.encode(), rng)]


@pytest.mark.parametrize("kind", sorted(INJECTORS))
def test_there_are_faults_of_each_kind_and_only_syntax_errors_do_not_parse(kind: str) -> None:
    found = of_kind(kind)
    assert found and CODE not in found
    for text in found:
        if kind.startswith("syntax"):
            with pytest.raises(SyntaxError):
                ast.parse(text)
        else:
            ast.parse(text)


def test_a_misspelt_name_is_another_one_and_looks_like_it() -> None:
    rng = random.Random(1)
    slips = {misspelt("customer", rng) for _ in range(200)}
    assert all(abs(len(slip) - len("customer")) <= 1 for slip in slips) and len(slips) > 20


def trials(tmp_path: Path, within: Sandbox) -> FaultTrials:
    folder = tmp_path / "shop-1.0"
    (folder / "shop").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "shop" / "__init__.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TESTS)
    found = FaultTrials(Package("shop", folder, 400), within, random.Random(1))
    assert found.prepare() and found.files == ["shop/__init__.py"]
    return found


def test_a_fault_is_seen_and_mended_and_the_file_is_as_before(tmp_path: Path, within: Sandbox) -> None:
    made = trials(tmp_path, within)
    path = tmp_path / "shop-1.0" / "shop" / "__init__.py"
    fault = next(
        item
        for item in faults("misspelt attribute", "shop/__init__.py", CODE.encode(), random.Random(2))
        if "self.prices[name] * count" not in item.after.decode()
    )
    trial = made.trial(fault)
    assert trial is not None and trial.problem.test == "test_price"
    assert trial.mended and trial.restores and not any(trial.breaks)
    assert path.read_text() == CODE


def test_a_package_whose_tests_take_too_long_is_left_out(
    tmp_path: Path, within: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reached_tests, "_RECORD_SECONDS", 1.0)
    (tmp_path / "tests").mkdir()
    (tmp_path / "shop.py").write_text(CODE)
    (tmp_path / "tests" / "test_shop.py").write_text("import time\n\n\ndef test_it():\n    time.sleep(60)\n")
    assert not FaultTrials(Package("shop", tmp_path, 400), within, random.Random(1)).prepare()


def test_a_fix_that_breaks_a_test_is_seen(tmp_path: Path, within: Sandbox) -> None:
    made = trials(tmp_path, within)
    fault = next(iter(faults("unused import", "shop/__init__.py", CODE.encode(), random.Random(2))))
    broken = {"shop/__init__.py": CODE.replace("* count", "* 0")}
    assert made.tried(fault, broken, None, "lint") == (False, True)
    assert made.tried(fault, {"shop/__init__.py": CODE}, None, "lint") == (True, False)


def test_what_is_missed_and_what_is_invented_in_a_recorded_output_is_told(tmp_path: Path) -> None:
    problem = {"tool": "flake8", "severity": "error", "message": "m", "path": "a.py", "line": 9}
    (tmp_path / "one.txt").write_text(
        f"a.py:3:1: F821 undefined name 'x'\n\n===== problems =====\n{json.dumps(problem)}\n"
    )
    found = checks.read_recorded(tmp_path)
    assert (found.outputs, found.problems, len(found.missed), len(found.invented)) == (1, 1, 1, 1)


def test_bad_commands_are_survived(tmp_path: Path) -> None:
    assert all(watch_cost.survives(tmp_path).values())


def test_the_bench_reports_in_the_common_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "_QUICK_ROUNDS", 1)
    monkeypatch.setattr(checks, "_QUICK_SECONDS", 0.1)
    folder = tmp_path / "packages" / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE + "# filler\n" * 300)
    (folder / "tests" / "test_shop.py").write_text(TESTS)
    outputs = str(Path(__file__).parents[1] / "cases" / "problems")
    words = ["bench", "checks", "--quick", "--faults", "1", "--packages", str(folder.parent), "--json"]
    words += ["--outputs", outputs]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    bars = {item["name"]: item["value"] for item in report["bars"]}
    assert bars["recorded_outputs"] >= 150 and bars["seeded_faults"] >= 1
    assert bars["problems_missed"] == bars["problems_invented"] == 0
    assert {"watch_adds_percent: quiet", "mended_share", "fixes_that_break", "fix_p95_ms"} <= set(bars)
