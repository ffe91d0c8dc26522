"""The recordings that come with the product fit the shop that comes with it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.simple_appliers import apply_lines, apply_search_replace, search_replace_blocks

from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.events import HunkFailed

EXAMPLES = Path(__file__).parents[2] / "examples"
SHOP = EXAMPLES / "shop"
RECORDINGS = sorted((EXAMPLES / "recordings").glob("*.jsonl"))
UNCHANGED = {"web-login", "unused-import"}


def shop_files() -> dict[str, str]:
    return {
        str(path.relative_to(SHOP)): path.read_text(encoding="utf-8")
        for path in sorted(SHOP.rglob("*.py"))
        if "__pycache__" not in path.parts
    }


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    header, *pieces = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return header, pieces


def apply(path: Path, files: dict[str, str]) -> dict[str, str]:
    header, pieces = read(path)
    text = "".join(piece["text"] for piece in pieces)
    return (apply_lines if header["format"] == "lines" else apply_search_replace)(text, files)


def apply_with_the_parser(path: Path, files: dict[str, str]) -> dict[str, str]:
    header, pieces = read(path)
    parser = Parser(header["format"], lambda name: files[name].splitlines() if name in files else None)
    events = [event for piece in pieces for event in parser.feed(piece["text"])]
    events += parser.finish()
    assert not [event for event in events if isinstance(event, HunkFailed)]
    by_path: dict[str, list[Hunk]] = {}
    for hunk in parser.hunks:
        by_path.setdefault(hunk.path, []).append(hunk)
    out = dict(files)
    for name, hunks in by_path.items():
        lines = files.get(name, "").splitlines()
        for hunk in sorted(hunks, key=lambda hunk: hunk.old_start, reverse=True):
            first = hunk.old_start - 1
            assert lines[first : first + len(hunk.old_lines)] == list(hunk.old_lines)
            lines[first : first + len(hunk.old_lines)] = hunk.new_lines
        out[name] = "\n".join(lines) + "\n"
    return out


def run_shop_tests(files: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "unittest"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_shop_passes_its_own_tests(tmp_path: Path) -> None:
    done = run_shop_tests(shop_files(), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Ran 26 tests" in done.stderr


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recorded_answer_applies_to_the_shop_and_its_tests_still_pass(path: Path, tmp_path: Path) -> None:
    old = shop_files()
    new = apply(path, old)
    assert (new == old) == (path.stem in UNCHANGED)
    for text in new.values():
        ast.parse(text)
    if new != old:
        done = run_shop_tests(new, tmp_path)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_the_products_parser_makes_the_same_files_as_the_plain_applier(path: Path) -> None:
    files = shop_files()
    assert apply_with_the_parser(path, files) == apply(path, files)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_times_never_fall_and_pieces_are_small(path: Path) -> None:
    header, pieces = read(path)
    assert header["spark_recording"] == 1
    assert header["name"] == path.stem
    times = [piece["t"] for piece in pieces]
    assert times == sorted(times)
    assert times[0] > 0
    assert all(1 <= len(piece["text"]) <= 16 or piece["text"].isspace() for piece in pieces)
    assert len(pieces) <= 2048
    if len(pieces) > 50:
        assert 600 <= len(pieces) / times[-1] <= 1700


def test_recordings_are_what_the_answers_say() -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "recordings" / "make.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(RECORDINGS) == len(list((EXAMPLES / "recordings" / "answers").glob("*.txt")))


def test_the_long_recording_is_long_and_spans_two_files() -> None:
    _, pieces = read(EXAMPLES / "recordings" / "annotate-inventory-and-orders.jsonl")
    blocks = search_replace_blocks("".join(piece["text"] for piece in pieces))
    assert {path for path, _, _ in blocks} == {"shop/inventory.py", "shop/orders.py"}
    assert len(blocks) >= 20


def test_a_steer_keeps_the_hunks_before_it_and_fits_after_them(tmp_path: Path) -> None:
    folder = EXAMPLES / "recordings"
    header, _ = read(folder / "tidy-report-steered.jsonl")
    first = folder / f"{header['steers']}.jsonl"
    text = "".join(piece["text"] for piece in read(first)[1])
    cut = text.index("```\n", text.index(">>>>>>> REPLACE")) + 4
    after_first_hunk = apply_search_replace(text[:cut], shop_files())
    assert "return sum(order.total" in after_first_hunk["shop/report.py"]
    new = apply(folder / "tidy-report-steered.jsonl", after_first_hunk)
    assert "defaultdict(int)" in new["shop/report.py"]
    assert "return sum(order.total" in new["shop/report.py"]
    assert run_shop_tests(new, tmp_path).returncode == 0


def test_every_recording_is_named_in_the_readme_with_its_instruction() -> None:
    readme = (EXAMPLES / "recordings" / "README.md").read_text(encoding="utf-8")
    for path in RECORDINGS:
        assert f"`{path.stem}`" in readme
        assert read(path)[0]["instruction"] in readme
