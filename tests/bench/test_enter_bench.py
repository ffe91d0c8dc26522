"""`spark bench enter`: messages in a repository, by stage, and its bars."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from spark_tui.bench import enter
from spark_tui.bench.exact_edits import plan_timing
from spark_tui.cli.main import main

CODE = """import json
import os


class Cart{n}:
    def add(self, price, count=1):
        return price * count

    def total_{n}(self, tax):
        print("total")
        return self.add(tax)


def load_{n}(path):
    with open(path) as file:
        return json.load(file)


def empty_{n}(cart):
    return Cart{n}()
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "packages" / "shop"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    for number in range(3):
        text = CODE.format(n=number)
        (folder / f"cart{number}.py").write_text(
            text + "".join(f"\n\nVALUE_{at} = {at}\n" for at in range(150))
        )
    return folder.parent


def test_every_stage_is_a_function_of_the_product() -> None:
    for names in enter.STAGES.values():
        for name in names:
            module, _, rest = name.partition(":")
            at = importlib.import_module(module)
            for part in rest.split("."):
                at = getattr(at, part)
            assert callable(at)


def test_the_bench_reports_in_the_common_form(
    packages: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_timing, "LINES", 1000)
    monkeypatch.setattr(enter, "QUICK_MESSAGES", 12)
    monkeypatch.setattr(enter, "QUICK_TYPED", 4)
    monkeypatch.setattr(enter, "KEY_SECONDS", 0.02)
    assert main(["bench", "enter", "--quick", "--packages", str(packages), "--json"]) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    rows = {row["what"]: row for row in report["rows"]}
    assert rows["warm, all messages"]["messages"] == 12
    assert rows["warm, edits"]["p50 ms"] > 0
    assert rows["cold"]["messages"] == 1
    typed = rows[f"typed, Enter {enter.PAUSES[-1]} s after the last key, edits"]
    assert (rows["warm, edits"]["read before Enter"], typed["read before Enter"] > 0) == (0, True)
    assert [bar["value"] is not None for bar in report["bars"]] == [True, True, True]


def test_the_same_seed_asks_the_same(packages: Path) -> None:
    one, two = (enter.asks(packages, 3, 10) for _ in range(2))
    assert [item.instruction for item in one] == [item.instruction for item in two]
    assert len({item.instruction for item in one}) > 5


@pytest.mark.parametrize("name", [name for names in enter.STAGES.values() for name in names])
def test_each_function_that_is_timed_is_there(name: str) -> None:
    module, _, rest = name.partition(":")
    found = importlib.import_module(module)
    for part in rest.split("."):
        found = getattr(found, part)
    assert callable(found)
