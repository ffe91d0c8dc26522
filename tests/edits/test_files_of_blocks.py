"""A block that names no file, only the end of its path, or folders in front of it, is of the shown file that
has its lines."""

from __future__ import annotations

import pytest

from spark_tui.edits.parser import Parser
from spark_tui.events import NO_SUCH_FILE, Doubt

FILES = {
    "shop/cart.py": ("def add(a):", "    return a"),
    "shop/tax.py": ("def tax(a):", "    return a"),
    "other/notes.py": ("def note(a):", "    return a"),
}
BLOCK = "{}```\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n```\n"


def read(head: str, old: str, shown: tuple[str, ...] = ("shop/cart.py", "shop/tax.py")) -> Parser:
    parser = Parser("auto", FILES.get, shown=shown)
    text = BLOCK.format(head, old, old.replace("a)", "b)").replace("return a", "return b"))
    assert [*parser.feed(text), *parser.finish()]
    return parser


@pytest.mark.parametrize("head", ["", "tax.py\n", "project/shop/tax.py\n", "/home/ann/project/shop/tax.py\n"])
def test_the_lines_say_which_of_the_shown_files_is_meant(head: str) -> None:
    parser = read(head, "def tax(a):")
    assert not parser.failures
    assert [(hunk.path, hunk.new_lines) for hunk in parser.hunks] == [("shop/tax.py", ("def tax(b):",))]


def test_lines_of_two_shown_files_are_placed_in_neither() -> None:
    parser = read("", "    return a")
    assert not parser.hunks
    assert [failure.message for failure in parser.failures] == [
        "an edit names no file: its path goes before it"
    ]


def test_a_file_that_the_model_was_not_shown_is_not_looked_in() -> None:
    assert not read("", "def note(a):").hunks


def test_the_end_of_another_path_does_not_count() -> None:
    parser = read("old/tax.py\n", "def tax(a):")
    assert not parser.hunks
    assert [(failure.path, failure.message) for failure in parser.failures] == [("old/tax.py", NO_SUCH_FILE)]


HEADS = [
    "tax.py",
    "project/shop/tax.py",
    "/home/ann/project/shop/tax.py",
    "shop\\tax.py",
    "\ufeffshop/tax.py",
]
FENCE = "{}\n```python\n{}\n```\n"
SHOWN = ("shop/cart.py", "shop/tax.py")


def hunks_of(text: str, *, size: int = 7) -> list[tuple[str, str, tuple[str, ...]]]:
    parser = Parser("auto", FILES.get, shown=SHOWN)
    for at in range(0, len(text), size):
        list(parser.feed(text[at : at + size]))
    list(parser.finish())
    assert not parser.failures
    return [(hunk.kind, hunk.path, hunk.new_lines) for hunk in parser.hunks]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("form", [FENCE, "{0}\n```python\n# {0}\n{1}\n```\n", "```python {}\n{}\n```\n"])
def test_neither_is_a_fence_of_such_a_name_a_new_file(head: str, form: str) -> None:
    if "\ufeff" in head and not form.startswith("{"):
        form, head = "\ufeff" + form, head[1:]
    found = hunks_of(form.format(head, "def tax(a):\n    return 2 * a"))
    assert [one for one in found if one[2] != ("# shop/tax.py",)] == [
        ("edit", "shop/tax.py", ("    return 2 * a",))
    ]


@pytest.mark.parametrize("head", ["tax.py", "project/shop/tax.py"])
def test_other_code_under_such_a_name_is_a_new_file(head: str) -> None:
    assert hunks_of(FENCE.format(head, "RATE = 2")) == [("add", head, ("RATE = 2",))]


@pytest.mark.parametrize(
    "form",
    [
        "```diff\n--- a\\{0}\n+++ b\\{0}\n@@ -2 +2 @@\n-    return a\n+    return b\n```\n",
        "*** Begin Patch\n*** Update File: {0}\n@@\n-    return a\n+    return b\n*** End Patch\n",
        "{0}\n<<<<<<< SEARCH\n    return a\n=======\n    return b\n>>>>>>> REPLACE\n",
        '<edit path="{0}">\n<search>\n    return a\n</search>\n<replace>\n    return b\n</replace></edit>\n',
        "In `{0}` it is:\n\n```python\ndef tax(a):\n    return b\n```\n",
    ],
)
def test_a_name_with_backslashes_is_that_of_the_file(form: str) -> None:
    assert hunks_of(form.format("shop\\tax.py")) == [("edit", "shop/tax.py", ("    return b",))]
    made = hunks_of("*** Begin Patch\n*** Add File: shop\\new.py\n+x = 1\n*** End Patch\n")
    assert made == [("add", "shop/new.py", ("x = 1",))]


def test_a_file_whose_name_has_one_is_itself() -> None:
    parser = Parser("auto", {**FILES, "shop\\tax.py": ("x = 1",)}.get)
    list(parser.feed("shop\\tax.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"))
    assert [hunk.path for hunk in parser.hunks] == ["shop\\tax.py"]


BETTER = "def tax(a):\n    return 2 * a"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (FENCE.format("shop/tax.py", BETTER), ""),
        (FENCE.format("tax.py", BETTER), "tax.py"),
        (FENCE.format("v2/shop/tax.py", BETTER), "v2/shop/tax.py"),
        (f'<file path="v2/shop/tax.py">\n{BETTER}\n</file>\n', "v2/shop/tax.py"),
    ],
)
def test_an_edit_of_a_file_that_the_answer_calls_otherwise_has_a_mark(text: str, path: str) -> None:
    parser = Parser("auto", FILES.get, shown=SHOWN)
    marks = [event.reason for event in (*parser.feed(text), *parser.finish()) if isinstance(event, Doubt)]
    assert [hunk.path for hunk in parser.hunks] == ["shop/tax.py"]
    assert marks == [f"the answer calls this file {path}, which may be a new one"] * bool(path)


def test_a_file_that_is_said_to_be_new_is_none_of_those_that_are_called_so() -> None:
    assert hunks_of(FENCE.format("Create `v2/shop/tax.py`:\n", BETTER))[0][:2] == ("add", "v2/shop/tax.py")


def test_neither_is_one_that_the_answer_has_made() -> None:
    parser = Parser("auto", FILES.get, shown=SHOWN)
    list(parser.feed(FENCE.format("v2/shop/tax.py", "RATE = 2") + FENCE.format("v2/shop/tax.py", BETTER)))
    list(parser.finish())
    assert [(hunk.kind, hunk.path) for hunk in parser.hunks] == [("add", "v2/shop/tax.py")]
    assert [failure.path for failure in parser.failures] == ["v2/shop/tax.py"]


@pytest.mark.parametrize("head", ["__init__.py", "### __init__.py:", "**__init__.py**", "__`__init__.py`__"])
def test_underscores_at_the_beginning_of_a_name_are_its_own(head: str) -> None:
    assert hunks_of(FENCE.format(head, "X = 1")) == [("add", "__init__.py", ("X = 1",))]
    assert hunks_of(FENCE.format("__new.py__:", "X = 1")) == [("add", "new.py", ("X = 1",))]


def test_a_backslash_before_an_underscore_is_one_of_markdown() -> None:
    parser = Parser("auto", {"shop/my_tax.py": ("x = 1",)}.get, shown=("shop/my_tax.py",))
    list(
        parser.feed(
            FENCE.format("### shop/my\\_tax.py", "x = 2") + FENCE.format("### shop/my\\_new.py", "y = 1")
        )
    )
    list(parser.finish())
    assert [(hunk.kind, hunk.path) for hunk in parser.hunks] == [
        ("edit", "shop/my_tax.py"),
        ("add", "shop/my_new.py"),
    ]


@pytest.mark.parametrize(
    "form",
    [
        "```diff\n--- a/{0}\n+++ b/{0}\n@@ -2 +2 @@\n-    return a\n+    return b\n```\n",
        "*** Begin Patch\n*** Update File: {0}\n@@\n-    return a\n+    return b\n*** End Patch\n",
    ],
    ids=["udiff", "apply_patch"],
)
def test_a_patch_is_of_the_one_shown_file_that_is_called_so(form: str) -> None:
    assert hunks_of(form.format("tax.py")) == [("edit", "shop/tax.py", ("    return b",))]
    parser = Parser("auto", FILES.get, shown=(*SHOWN, "other/tax.py"))
    assert [*parser.feed(form.format("tax.py")), *parser.finish()] and not parser.hunks
    parser = Parser("auto", FILES.get, shown=SHOWN)
    assert [*parser.feed(form.format("tests/shop/tax.py")), *parser.finish()] and not parser.hunks


@pytest.mark.parametrize("target", ["taxes.py", "shop/taxes.py"])
def test_a_file_of_a_short_path_moves_within_its_folder(target: str) -> None:
    text = f"*** Begin Patch\n*** Update File: tax.py\n*** Move to: {target}\n*** End Patch\n"
    parser = Parser("auto", FILES.get, shown=SHOWN)
    assert [*parser.feed(text), *parser.finish()]
    assert [(hunk.path, hunk.new_path) for hunk in parser.hunks] == [("shop/tax.py", "shop/taxes.py")]
