"""A name that a file in another language sets to a literal gets another one of its kind."""

from __future__ import annotations

import pytest
from intent.asking import PATH, answer_to
from intent.support import situation

API = """const BASE_URL = "http://localhost:8000";
const TIMEOUT_MS: number = 5000; // of a request
let verbose = false;
let MODE = "full_run";
const total = first + 1;
export function load(limit = 20, part = 1) {
  const part = 2;
}
"""
FILES = {
    PATH: "def load(path):\n    return path\n",
    "web/api.ts": API,
    "pyproject.toml": '[project]\nname = "notes"\n\n[tool.notes]\npages = 3\n',
}


def set_to(variable: str, value: str) -> list[str | None]:
    slots = {"variable": variable, "value": value.strip("`'\""), "file": "web/api.ts"}
    found = answer_to(FILES, f"set {variable} in web/api.ts to {value}", "set_value", **slots)
    return [way.plan.texts(situation(FILES).repo).get("web/api.ts") for way in found.ways]


@pytest.mark.parametrize(
    ("variable", "value", "old", "new"),
    [
        (
            "BASE_URL",
            "https://notes.example.org/v1",
            '"http://localhost:8000"',
            '"https://notes.example.org/v1"',
        ),
        ("TIMEOUT_MS", "8_000", "5000", "8_000"),
        ("verbose", "true", "false", "true"),
        ("limit", "50", "20", "50"),
        ("BASE_URL", "local", '"http://localhost:8000"', '"local"'),
        ("BASE_URL", '"API_URL"', '"http://localhost:8000"', '"API_URL"'),
        ("MODE", "dry_run", '"full_run"', '"dry_run"'),
    ],
)
def test_a_literal_becomes_another_of_its_kind(variable: str, value: str, old: str, new: str) -> None:
    assert set_to(variable, value) == [API.replace(old, new)]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TIMEOUT_MS", "soon"),
        ("total", "3"),
        ("BASE_URL", 'a"b'),
        ("BASE_URL", "API_URL"),
        ("BASE_URL", "`apiUrl`"),
    ],
)
def test_what_is_no_such_literal_stays(variable: str, value: str) -> None:
    assert set_to(variable, value) == []


def test_of_several_lines_each_may_be_meant() -> None:
    assert set_to("part", "3") == [API.replace("part = 1", "part = 3"), API.replace("part = 2", "part = 3")]


@pytest.mark.parametrize(
    ("path", "line", "after"),
    [
        ("a.c", "#define LIMIT 64 /* items */", "#define LIMIT 128 /* items */"),
        ("a.c", "static int LIMIT = 64;", "static int LIMIT = 128;"),
        ("a.sh", "LIMIT=64  # items", "LIMIT=128  # items"),
        ("a.css", "limit: 64;", "limit: 128;"),
        ("a.tsx", "<div style={{ limit: 64 }}>", "<div style={{ limit: 128 }}>"),
        ("a.js", "\ufeffconst LIMIT = 64;", "\ufeffconst LIMIT = 128;"),
        ("Makefile", "LIMIT := 64", "LIMIT := 128"),
        ("a.h", "\x0c\n#define LIMIT 64", "\x0c\n#define LIMIT 128"),
    ],
)
def test_in_any_file_the_line_that_sets_it_changes(path: str, line: str, after: str) -> None:
    files = {PATH: FILES[PATH], path: f"{line}\nLIMIT < 64\n", "README.md": "The limit: 64\n"}
    found = answer_to(files, "set the limit to 128", "set_value", variable="limit", value="128")
    assert [way.plan.texts(situation(files).repo) for way in found.ways] == [{path: f"{after}\nLIMIT < 64\n"}]


def test_a_word_of_the_value_names_no_table() -> None:
    slots = {"variable": "BASE_URL", "value": "https://notes.example.org/v1"}
    found = answer_to(FILES, "BASE_URL should be https://notes.example.org/v1", "set_value", **slots)
    assert "pyproject.toml" not in {
        path for way in found.ways for path in way.plan.texts(situation(FILES).repo)
    }
