"""Outlines, the ranking of files, and windows that begin and end where definitions do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.context.ignore_rules import is_secret, matches
from spark_tui.context.relevance import FileRelevance
from spark_tui.context.repo_map import RepoMap
from spark_tui.context.symbols import outline
from spark_tui.context.windows import choose_windows, tile_windows

PYTHON = '''\
import os

LIMIT = 3

@decorated
class Cart(Base):
    """Lines."""

    def add(self, sku):
        def inner():
            pass
        return sku

    async def total(self): ...

def price(cart):
    return cart
'''.splitlines()


def test_python_is_read_by_its_parser():
    found = outline("a.py", PYTHON)
    assert [(d.full_name, d.first, d.last) for d in found.definitions] == [
        ("LIMIT", 3, 3),
        ("Cart", 5, 14),
        ("Cart.add", 9, 12),
        ("Cart.add.inner", 10, 11),
        ("Cart.total", 14, 14),
        ("price", 16, 17),
    ]
    assert found.names["sku"] == 2


def test_a_python_file_that_does_not_parse_has_an_outline_too():
    found = outline("a.py", [*PYTHON, "def broken(:"])
    assert {"Cart", "add", "price", "broken"} <= {d.name for d in found.definitions}
    (cart,) = found.find("Cart")
    assert (cart.first, cart.last) == (6, 14)


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        (
            "a.js",
            "export function area(a) {\n  return a\n}\nexport const twice = (x) => 2 * x\nclass Box {\n}",
            "area twice Box",
        ),
        (
            "a.ts",
            "export interface Shape {\n}\ntype Id = string\nexport default async function go() {}",
            "Shape Id go",
        ),
        ("a.go", "func (c *Cart) Add(s string) {\n}\ntype Cart struct {\n}", "Add Cart"),
        ("a.rs", "pub(crate) fn area() {}\nstruct Box;\nimpl Box {\n    fn new() {}\n}", "area Box Box new"),
        ("a.java", "public final class Cart {\n}", "Cart"),
        ("a.c", "static int area(int a)\n{\n}\nint x = area(1);", "area"),
        ("a.rb", "class Cart\n  def add!(x)\n  end\nend", "Cart add!"),
        ("a.md", "# Title\n\n## Part\ntext", "Title Part"),
    ],
)
def test_other_languages_are_read_by_the_shape_of_their_lines(path, text, names):
    assert [d.name for d in outline(path, text.split("\n")).definitions] == names.split()


@given(
    st.lists(st.text("adefclss :()\n\t\\'\"{}#", max_size=20), max_size=30),
    st.sampled_from(["a.py", "a.js", "a.md"]),
)
def test_any_text_has_an_outline_within_its_lines(lines, path):
    found = outline(path, lines)
    assert all(1 <= d.first <= d.last <= len(lines) for d in found.definitions)


def mapped(files):
    found = RepoMap(files.get, lambda path: hash(tuple(files[path])) if path in files else None)
    found.look(files)
    return found


def test_files_that_define_what_is_named_come_first_then_those_that_they_use():
    ranked = mapped(
        {
            "cart.py": ["class Cart:", "    def total(self): return price(self) + tax(self)"],
            "price.py": ["def price(cart): return 1"],
            "other.py": ["def elsewhere(): return 1"],
            "readme.md": ["# The total of all"],
        }
    ).rank("round `total` down")
    assert [r.path for r in ranked][:2] == ["cart.py", "price.py"]
    assert ranked[0].why == ("total",)
    assert ranked[-1].score < 0.5


def test_a_common_word_that_is_a_function_s_name_is_found():
    files = {"cart.py": ["def add(a): pass"], "other.py": ["def more(a): pass"]}
    assert mapped(files).rank("raise ValueError in add when it is below 1")[0].path == "cart.py"


def test_a_name_that_is_said_in_words_leads_to_its_file():
    files = {"prices.py": ["TAX_RATE = 19"], "cart.py": ["def tax(): pass"]}
    assert mapped(files).rank("cache the tax rate")[0].path == "prices.py"


def test_tests_rank_after_the_code_they_test_unless_asked_for():
    files = {"tests/test_cart.py": ["def checkout(): pass", "x = cart"], "desk.py": ["def checkout(): pass"]}
    assert mapped(files).rank("log in checkout of the cart")[0].path == "desk.py"
    assert mapped(files).rank("log in checkout of the cart test")[0].path == "tests/test_cart.py"


def test_a_file_is_read_again_only_when_its_stamp_changes():
    read, stamps = [], {"a.py": 1, "b.py": 1}

    def reading(path):
        read.append(path)
        return [f"def {path[0]}{stamps[path]}(): pass"]

    found = RepoMap(reading, stamps.get)
    found.look(["a.py", "b.py"])
    stamps["a.py"] = 2
    found.look(["a.py", "b.py"])
    assert read == ["a.py", "b.py", "a.py"]
    assert found.find("a2")
    del stamps["b.py"]
    found.look(["a.py"])
    assert not found.find("b1")


def test_looking_ends_in_time_and_goes_on_the_next_time():
    now = iter(range(1000))
    found = RepoMap(lambda path: [f"def {path[0]}(): pass"], lambda path: 1, clock=lambda: next(now))
    found.look([f"{c}.py" for c in "abcdef"], seconds=3)
    assert found.unread == 3
    found.look([f"{c}.py" for c in "abcdef"], seconds=99)
    assert found.unread == 0


blocks = st.lists(
    st.tuples(st.sampled_from(["def f{n}(a):", "class C{n}:", "x{n} = 1", "# {n}"]), st.integers(0, 9)),
    max_size=25,
)


@given(blocks, st.integers(5, 40), st.integers(2, 30))
def test_windows_tile_the_file_within_their_bounds_and_tear_no_definition_that_fits(
    parts, most_tokens, most_lines
):
    lines = []
    for n, (head, size) in enumerate(parts):
        lines.append(head.format(n=n))
        if head.endswith(":"):
            lines += ["    pass"] * max(size, 1) + [""]
    found = outline("a.py", lines)
    windows = tile_windows(
        len(lines),
        found,
        lambda line: 1 + len(lines[line - 1].split()),
        most_tokens=most_tokens,
        most_lines=most_lines,
    )
    assert [n for w in windows for n in range(w.first, w.last + 1)] == list(range(1, len(lines) + 1))
    for w in windows:
        assert w.last - w.first < most_lines
        assert w.tokens <= most_tokens
    for d in (definition for definition in found.definitions if not definition.inside):
        cost = sum(1 + len(lines[n - 1].split()) for n in range(d.first, d.last + 1))
        if cost <= most_tokens and d.last - d.first < most_lines:
            assert any(w.first <= d.first and d.last <= w.last for w in windows)


def test_windows_are_the_same_whatever_is_asked_and_a_method_outweighs_a_mention():
    lines = [
        line
        for n in range(20)
        for line in (f"class Box{n}:", "    def grow(self):", f"        return {n} + grow", "")
    ]
    found = outline("a.py", lines)
    windows = tile_windows(len(lines), found, lambda line: 4, most_tokens=60, most_lines=99)
    (chosen,) = choose_windows(windows, FileRelevance(lines, found), "let Box7.grow shrink").windows
    assert chosen.first <= 29 <= chosen.last
    assert choose_windows(windows, FileRelevance(lines, found), 'mind the "13 +"').windows[0].holds(55, 55)


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        (".env", True),
        ("a/.env.local", True),
        (".env.example", False),
        ("deploy/id_rsa", True),
        ("id_ed25519.pub", False),
        ("server.key", True),
        ("certs/ca.pem", True),
        ("aws_credentials.json", True),
        ("credentials", True),
        ("config/secrets.yml", True),
        (".aws/credentials", True),
        ("secrets.py", False),
        ("tokenizer.json", False),
        ("tokens.py", False),
        ("keyboard.py", False),
        (".npmrc", True),
        ("main.tfvars", True),
        (".env~", True),
        (".env copy", True),
        (".env.example~", False),
        ("credentials.json.bak", True),
        (".envrc.local", True),
        ("serviceAccountKey.json", True),
        ("gcp-service-account.json", True),
        ("keys/api_key.txt", True),
        ("etc/ssh_host_ed25519_key", True),
        ("etc/ssh_host_ed25519_key.pub", False),
        ("kubeconfig", True),
        ("passwords.csv", True),
        ("auth.json", True),
        ("auth.py", False),
        ("app/auth", False),
    ],
)
def test_files_that_hold_secrets_are_known_by_name(path, secret):
    assert is_secret(path) is secret


@pytest.mark.parametrize(
    ("pattern", "path", "yes"),
    [
        ("*.py", "a/b.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/**/*.py", "src/b.py", True),
        ("src/**/*.py", "src/a/b/c.py", True),
        ("a[0-9].py", "a7.py", True),
        ("a[!0-9].py", "a7.py", False),
        ("a?.py", "ab.py", True),
        ("a.py", "b/a_py", False),
    ],
)
def test_globs(pattern, path, yes):
    assert matches(pattern, path) is yes
