"""Keys of configuration files and lines of text files: comments and layout stay."""

from __future__ import annotations

import pytest
from codemods.repositories import changes_one_place, plan, refusal, repository, texts_after

TOML = """# top
title = "x"  # t
[project]
name = "a"
deps = [
  "x", # c ]
  "y",
]

# about tool
[tool.ruff]
line-length = 100
inner = {a = 1, b = 2}
"""
JSON = """{
  "a": 1,
  "b": {"c": [1, 2], "d": {}},
  "e": {
    "f": "g"
  }
}
"""
INI = "[one]\n; c\na = 1\nb: 2\n  3\n\n[two]\nx=y\n"
ENV = "# c\nA=1 # one\nexport B=\"x y\"\nC='q'\n"
YAML = """# head
a: 1  # one
b:
  c: "x"   # cc
  d: |
    text

# about e
e:
  - x: 1
    y: 2
  - z
f: {g: 1}
"""
FILES = {"a.toml": TOML, "b.json": JSON, "c.ini": INI, ".env": ENV, "d.yaml": YAML}


@pytest.mark.parametrize(
    ("call", "path", "old", "new"),
    [
        ("set_key a.toml title new", "a.toml", '"x"  # t', '"new"  # t'),
        ("set_key a.toml tool.ruff.line-length 110", "a.toml", "= 100", "= 110"),
        ("set_key a.toml tool.ruff.target py311", "a.toml", "b = 2}\n", 'b = 2}\ntarget = "py311"\n'),
        ("set_key a.toml new.x 3", "a.toml", "b = 2}\n", "b = 2}\n\n[new]\nx = 3\n"),
        ("set_key a.toml top true", "a.toml", "# t\n", "# t\ntop = true\n"),
        ("remove_key a.toml title", "a.toml", 'title = "x"  # t\n', ""),
        ("remove_key a.toml project", "a.toml", TOML[TOML.index("[project]") : TOML.index("# about")], ""),
        ("set_key b.json a 2", "b.json", '"a": 1', '"a": 2'),
        ("set_key b.json b.c.1 5", "b.json", "[1, 2]", "[1, 5]"),
        ("set_key b.json b.z 1", "b.json", '"d": {}', '"d": {}, "z": 1'),
        ("set_key b.json e.h.i z", "b.json", '"f": "g"', '"f": "g",\n    "h": {\n      "i": "z"\n    }'),
        ("remove_key b.json a", "b.json", '  "a": 1,\n', ""),
        ("remove_key b.json e", "b.json", ',\n  "e": {\n    "f": "g"\n  }', ""),
        ("set_key c.ini one.a 2", "c.ini", "a = 1", "a = 2"),
        ("set_key c.ini two.z 5", "c.ini", "x=y\n", "x=y\nz=5\n"),
        ("set_key c.ini three.q 1", "c.ini", "x=y\n", "x=y\n\n[three]\nq = 1\n"),
        ("remove_key c.ini one.b", "c.ini", "b: 2\n  3\n", ""),
        ("remove_key c.ini one", "c.ini", "[one]\n; c\na = 1\nb: 2\n  3\n\n", ""),
        ("remove_key c.ini two", "c.ini", "\n[two]\nx=y\n", ""),
        ("set_key .env A 2", ".env", "A=1", "A=2"),
        ("set_key .env B 'a b'", ".env", '"x y"', '"a b"'),
        ("set_key .env D 'x$y'", ".env", "C='q'\n", "C='q'\nD='x$y'\n"),
        ("remove_key .env B", ".env", 'export B="x y"\n', ""),
        ("set_key d.yaml a 2", "d.yaml", "a: 1 ", "a: 2 "),
        ("set_key d.yaml b.z 1", "d.yaml", "    text\n", "    text\n  z: 1\n"),
        ("set_key d.yaml e.0.x 7", "d.yaml", "x: 1", "x: 7"),
        ("set_key d.yaml n.m 1", "d.yaml", "f: {g: 1}\n", "f: {g: 1}\nn:\n  m: 1\n"),
        ("remove_key d.yaml b.d", "d.yaml", "  d: |\n    text\n", ""),
        ("remove_key d.yaml e", "d.yaml", "e:\n  - x: 1\n    y: 2\n  - z\n", ""),
        ("insert_lines d.yaml:1 '# new'", "d.yaml", "# head\n", "# new\n# head\n"),
        ("replace_lines d.yaml:1 '# new'", "d.yaml", "# head\n", "# new\n"),
        ("delete_lines c.ini:2", "c.ini", "; c\n", ""),
        ("substitute a.toml 'about tool' tools", "a.toml", "about tool", "tools"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_one_place_changes_and_the_rest_stays(call: str, path: str, old: str, new: str, newline: str) -> None:
    changes_one_place(call, FILES, path, old, new, newline)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("set_key a.toml title '\"x\"'", "already"),
        ("set_key a.toml project.deps []", "there are comments in the value"),
        ("set_key a.toml tool.ruff.inner.a 2", "cannot be edited exactly"),
        ("set_key a.toml title.x 2", "no keys"),
        ("remove_key a.toml nope", "no nope"),
        ("set_key d.yaml b 1", "several lines"),
        ("set_key d.yaml f.h 5", "braces"),
        ("set_key c.ini a 5", "section"),
        ("set_key b.json b.c.7 5", "not an object"),
        ("set_key nothing.toml a 1", "no such file"),
        ("set_key m.py a 1", "not a TOML, JSON"),
        ("set_key a.toml a..b 1", "not a dotted key"),
        ("insert_lines c.ini:1 '[one]'", "already"),
        ("delete_lines c.ini:99", "8 lines"),
        ("substitute d.yaml x q", "places"),
        ("substitute d.yaml nowhere q", "is not in"),
    ],
)
def test_what_cannot_be_exact_is_refused_with_its_reason(call: str, reason: str) -> None:
    assert reason in str(refusal(call, {**FILES, "m.py": "a = 1\n"}))


@pytest.mark.parametrize(
    ("old", "after"),
    [("1", "7 21 1.5 v1 7 a.1x"), ("a", "1 21 1.5 v1 1 7.1x"), ("1.5", "1 21 7 v1 1 a.1x")],
)
def test_only_whole_words_are_replaced(old: str, after: str) -> None:
    files = {"t.txt": "1 21 1.5 v1 1 a.1x"}
    assert texts_after(f"substitute t.txt {old} 7 every=true words=true", files) == {"t.txt": after}


@pytest.mark.parametrize("ending", ["toml", "json", "ini", "yaml", "env"])
def test_a_file_with_a_merge_conflict_is_not_edited(ending: str) -> None:
    text = "[s]\n<<<<<<< HEAD\nA = 1\n=======\nB = 2\n>>>>>>> other\nC = 3\n"
    refused = str(refusal(f"set_key a.{ending} s.C 1", {f"a.{ending}": text}))
    assert f"a.{ending} has a merge conflict in line 2: resolve it first" in refused


def test_a_file_that_does_not_parse_is_not_edited() -> None:
    assert "a.toml is not valid TOML" in str(refusal("set_key a.toml x 1", {"a.toml": "x = \n"}))
    assert "a.json is not valid JSON" in str(refusal("set_key a.json x 1", {"a.json": "// c\n{}\n"}))
    twice = {"a.ini": "[s]\na=1\na=2\n"}
    assert "a.ini is not valid INI: [line" in str(refusal("set_key a.ini s.x 1", twice))
    broken = str(refusal("set_key a.yaml x 1", {"a.yaml": "a: [\n"}))
    assert "a.yaml is not valid YAML" in broken and "(line " in broken
    assert "aliases" in str(refusal("set_key a.yaml b.x 1", {"a.yaml": "a: &a {x: 2}\nb: *a\n"}))


def test_lines_of_python_that_would_not_parse_are_refused() -> None:
    refused = str(refusal("replace_lines m.py:1 'def'", {"m.py": "x = 1\n"}))
    assert refused == "m.py would not parse: invalid syntax, line 1"


def test_a_symbol_of_another_kind_is_refused_with_the_kinds_that_fit() -> None:
    refused = str(refusal("set_value f 10", {"m.py": "def f():\n    return 1\n"}))
    assert refused == "f is a function, not a local, a variable or an attribute"


@pytest.mark.parametrize(
    ("path", "text"), [("a.toml", "a = 1"), ("a.yaml", "a: 1"), ("a.env", "a=1"), ("a.ini", "[s]\na = 1")]
)
def test_a_file_without_a_last_line_ending_gets_a_new_key(path: str, text: str) -> None:
    key = "s.b" if path == "a.ini" else "b"
    sign = {"a.toml": " = ", "a.yaml": ": ", "a.env": "=", "a.ini": " = "}[path]
    made = texts_after(f"set_key {path} {key} 2", {path: text})[path]
    assert made == f"{text}\nb{sign}2"


def test_an_empty_file_gets_its_first_key() -> None:
    made = {"a.toml": "b = 2\n", "a.yaml": "b: 2\n", "a.env": "b=2\n", "a.json": '{\n  "b": 2\n}'}
    for path, wanted in made.items():
        text = "{}" if path == "a.json" else ""
        assert texts_after(f"set_key {path} b 2", {path: text}) == {path: wanted}


@pytest.mark.parametrize(
    ("path", "before", "value", "after"),
    [
        ("a.toml", 'v = "3.9"\n', "3.10", 'v = "3.10"\n'),
        ("a.toml", "v = '3.9'\n", "3.10", "v = '3.10'\n"),
        ("a.toml", "v = 3.9\n", "3.11", "v = 3.11\n"),
        ("a.json", '{"v": "8080"}\n', "9090", '{"v": "9090"}\n'),
        ("a.yaml", "v: 1.2.3\n", "1.10", 'v: "1.10"\n'),
        ("a.yaml", "v: '0122'\n", "0123", "v: '0123'\n"),
    ],
)
def test_a_text_of_digits_stays_a_text(path, before, value, after) -> None:
    files = {path: before}
    found = plan(f"set_key {path} v {value}", files)
    assert found.unmarked
    assert found.texts(repository(files)) == {path: after}


@pytest.mark.parametrize(
    ("path", "before", "value", "said"),
    [
        ("a.toml", "[x]\n", "3.10", "3.10 is read as 3.1: a text needs quotes"),
        ("a.json", '{"v": "no"}\n', "true", "it was a text, and is True now, without quotes"),
        ("a.yaml", "w: 1\n", "no", "no is read as False: a text needs quotes"),
        ("a.yaml", "w: 1\n", "12:30", "12:30 is read as 750: a text needs quotes"),
        ("a.yaml", "w: 1\n", "true", ""),
        ("a.toml", "[x]\n", "0.5", ""),
        ("a.toml", "[x]\n", "-10", ""),
    ],
)
def test_a_value_that_may_be_meant_as_a_text_is_named(path, before, value, said) -> None:
    found = plan(f"set_key {path} v {value}", {path: before})
    assert [one.reason for one in found.unfollowed] == ([said] if said else [])
