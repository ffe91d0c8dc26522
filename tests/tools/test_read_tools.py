"""What the looking tools give: bounded, harmless, and nothing that the person withholds."""

import os
import threading

import pytest
from support.git_command import git
from support.tool_streams import drained

from spark_tui.context.ignore_rules import ignore_rules_of, is_allowed, is_secret
from spark_tui.tools import read_tools
from spark_tui.tools.diagnostics import diagnostics
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.registry import Registry, Stopped, ToolContext, tool_of
from spark_tui.workspace.file_listing import list_files
from spark_tui.workspace.files import MOST_BYTES, Tree

TOOLS = Registry(
    tool_of(item)
    for item in (
        read_tools.read_file,
        read_tools.list_files,
        read_tools.search,
        read_tools.symbols,
        read_tools.references,
    )
)


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/cart.py").write_text("class Cart:\n    def total(self):\n        return 1\n")
    (tmp_path / "main.py").write_text("from shop.cart import Cart\nprint(Cart().total())\n")
    (tmp_path / ".env").write_text("TOKEN=sesame\n")
    (tmp_path / "notes.txt").write_text("TOKEN in the notes\n")
    (tmp_path / ".sparkignore").write_text("notes.txt\n")
    (tmp_path / ".gitignore").write_text("build.log\n")
    (tmp_path / "build.log").write_text("TOKEN in a log\n")
    git(tmp_path, "init", "-q")
    return tmp_path


def context(root, stop=None):
    tree = Tree(root)
    ignored = ignore_rules_of(tree.read_lines)

    def listed():
        return is_allowed(list_files(root), ignored)

    def withheld(path):
        return "is withheld" if is_secret(path) or ignored(path) else ""

    return ToolContext(Overlay(tree, listed=listed, withheld=withheld), stop or threading.Event())


def call(root, tool, stop=None, **given):
    stream = TOOLS.call(tool, given, context(root, stop))
    pieces, outcome = drained(stream)
    assert "".join(pieces) == outcome.text
    return outcome


def test_a_file_is_read_with_numbers(shop):
    found = call(shop, "read_file", path="shop/cart.py", first=2, last="2")
    assert (found.text, found.summary, found.failed) == ("2\t    def total(self):", "shop/cart.py:2-2", False)


def test_files_symbols_and_references_are_found(shop):
    assert call(shop, "list_files", glob="**/*.py").text == "main.py\nshop/cart.py"
    assert call(shop, "symbols", query="cart.TOT").text.startswith("shop/cart.py:2-3: Cart.total: def total")
    assert call(shop, "references", name="Cart.total").text.split("\n") == [
        "shop/cart.py:2: (definition)     def total(self):",
        "main.py:2: print(Cart().total())",
    ]
    assert call(shop, "search", pattern=r"Cart\b", glob="*.py").summary == r"3 matches of Cart\b in 2 files"


@pytest.mark.parametrize("glob", ["shop", "shop/", "./shop", "{root}/shop", "./shop/*.py"])
def test_a_glob_may_be_a_folder(shop, glob):
    glob = glob.format(root=shop)
    assert call(shop, "list_files", glob=glob).text == "shop/cart.py"
    assert call(shop, "search", pattern="class", glob=glob).text.startswith("shop/cart.py:1:")


@pytest.mark.parametrize("glob", [".", "./", "/", "{root}", "{root}/"])
def test_the_root_is_all_files(shop, glob):
    every = call(shop, "list_files").text
    assert "main.py" in every and call(shop, "list_files", glob=glob.format(root=shop)).text == every


def test_a_whole_path_in_the_tree_is_a_file_of_it(shop):
    assert call(shop, "read_file", path=f"{shop}/shop/cart.py", last=1).text == "1\tclass Cart:"
    assert call(shop, "read_file", path=f"`{shop}/shop/cart.py`:12", last=1).text == "1\tclass Cart:"
    assert call(shop, "read_file", path=f"{shop}/../secret.txt").failed
    assert call(shop, "read_file", path="`.env`:1").failed
    assert call(shop, "read_file", path=f"{shop}/.env").failed


def test_a_search_names_the_texts_that_it_could_not_read(shop):
    (shop / "wide.txt").write_bytes("total".encode("utf-16"))
    (shop / "image.bin").write_bytes(b"\0total")
    big = shop / "big.txt"
    big.write_bytes(b"total\n")
    os.truncate(big, MOST_BYTES + 1)
    found = call(shop, "search", pattern="sum_of")
    unread = f"big.txt: the file has {MOST_BYTES + 1:,} bytes; the limit is {MOST_BYTES:,}"
    assert found.text == f"no match\n\nnot searched:\n{unread}\nwide.txt: this file is in UTF-16"
    assert "not searched" not in call(shop, "search", pattern="total", glob="*.py").text


@pytest.mark.parametrize("path", [".env", "notes.txt", "../secret", "/etc/passwd", ".git/config", "shop"])
def test_secrets_ignored_and_outside_files_are_refused(shop, path):
    found = call(shop, "read_file", path=path)
    assert found.failed
    assert "sesame" not in found.text


def test_no_search_shows_what_is_withheld(shop):
    assert call(shop, "search", pattern="TOKEN").text == "no match"
    listed = call(shop, "list_files").text.split("\n")
    assert not {".env", "notes.txt", "build.log"} & set(listed)
    assert call(shop, "references", name="TOKEN").text == "no line"


def test_a_link_to_a_secret_or_out_of_the_tree_is_refused(shop, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "x"
    outside.write_text("sesame\n")
    (shop / "out.txt").symlink_to(outside)
    found = call(shop, "read_file", path="out.txt")
    assert found.failed
    assert "sesame" not in found.text
    found = call(shop, "search", pattern="sesame")
    assert found.text == "no match\n\nnot searched:\nout.txt: a link points outside the tree"


def test_long_outputs_say_what_was_cut(shop):
    (shop / "long.txt").write_text("".join(f"line {n}\n" for n in range(5000)))
    found = call(shop, "read_file", path="long.txt")
    assert found.text.endswith("… lines 801 to 5,000 are not shown; read them with first=801")
    found = call(shop, "search", pattern="line")
    assert found.text.endswith("… 4,800 more matches; narrow the question")
    assert len(found.text) < 30_000


def test_a_line_of_five_megabytes_and_invalid_text_are_harmless(shop):
    (shop / "big.js").write_bytes(b"x" * 3_900_000 + b"\n\x1b[31mred\xff\r\n\x9b2J\n")
    found = call(shop, "read_file", path="big.js")
    assert len(found.text) < 3_000
    assert "3,899,000 more characters" in found.text
    assert "\\x1b[31mred\\udcff" in found.text
    assert found.text.replace("\n", "").replace("\t", "").isprintable()
    (shop / "bigger.js").write_bytes(b"x" * 11_000_000)
    assert "limit" in call(shop, "read_file", path="bigger.js").text


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*b", r"(x+x+)+y", r".*.*.*.*x", "(" * 2, "a" * 2000])
def test_patterns_without_an_end_are_refused(shop, pattern):
    found = call(shop, "search", pattern=pattern)
    assert found.failed
    assert found.summary == "wrong arguments"


@pytest.mark.parametrize("pattern", [r"def \w+\(.*\):", r"(foo|bar)\s+\w+", r"^\s*class (\w+)", r"a{2,4}b"])
def test_usual_patterns_are_searched(shop, pattern):
    assert not call(shop, "search", pattern=pattern).failed


def test_a_stopped_search_ends(shop):
    for number in range(300):
        (shop / f"f{number}.txt").write_text("word\n" * 2000)
    stop = threading.Event()
    threading.Timer(0.03, stop.set).start()
    with pytest.raises(Stopped):
        while True:
            call(shop, "search", stop, pattern="word")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "read_file needs 'path'"),
        ({"path": 3}, "'path' must be a string, not '3'"),
        ({"path": "main.py", "first": "x"}, "'first' must be a whole number, not 'x'"),
        ({"path": "main.py", "frist": 1}, "no argument 'frist'; did you mean 'first'?"),
    ],
)
def test_wrong_arguments_are_named(shop, given, said):
    assert said in call(shop, "read_file", **given).text


def test_an_unknown_tool_is_named(shop):
    assert "Did you mean read_file?" in call(shop, "readfile").text


def test_a_missing_file_is_told_with_the_nearest(shop):
    assert call(shop, "read_file", path="cart.py").text == (
        "no such file: cart.py; did you mean shop/cart.py?"
    )


@pytest.mark.parametrize("paths", [["a.py", "b.py"], '["a.py", "b.py"]'])
def test_a_list_may_be_written_as_text(paths):
    assert tool_of(diagnostics).values({"paths": paths}) == {"paths": ["a.py", "b.py"]}


def test_schemas_are_those_of_the_signatures():
    assert TOOLS.tools["read_file"].schema == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "relative to the root of the repository"},
            "first": {"type": "integer", "description": "first line, from 1"},
            "last": {"type": "integer", "description": "last line; 0: to the end"},
        },
        "required": ["path"],
    }
    assert TOOLS.tools["search"].description.startswith("Search the files for a pattern.")
