"""Documents in a fence whose own fences are bare: the first of those does not end them."""

import pytest

from spark_tui.edits.parser import answer_parser
from spark_tui.events import Doubt, HunkClosed, HunkFailed

PAGE = "# Shop\n\nHello.\n\n```\nshop/\n  cart.py\n```\n\nMore:\n\n```\n$ run\n```\n\nEnd.\n"
FILES = {"README.md": PAGE, "a.py": "x = 1\n"}
NEXT = "\nThen:\n\na.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n\nDone.\n"


def fenced(path, text):
    return f"It is so:\n\n{path}\n```markdown\n{text}```\n"


def applied(text, size, asked, *, doubted=False):
    read = {name: data.splitlines() for name, data in FILES.items()}
    parser = answer_parser(asked, read.get, shown=tuple(read))
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    found = [*(event for piece in pieces for event in parser.feed(piece)), *parser.finish()]
    assert not any(isinstance(event, HunkFailed) for event in found)
    assert any(isinstance(event, Doubt) for event in found) == doubted
    for hunk in sorted((e for e in found if isinstance(e, HunkClosed)), key=lambda e: -e.old_start):
        at = hunk.old_start - 1
        read.setdefault(hunk.path, [])[at : at + len(hunk.old_lines)] = hunk.new_lines
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in read.items()}


@pytest.mark.parametrize("asked", ["search_replace", "whole"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/new.md", PAGE),
        ("docs/new.md", PAGE[: PAGE.index("\nEnd")]),
        ("docs/new.md", "# Plain\n\nNothing else.\n"),
        ("README.md", PAGE.replace("More", "Further")),
        ("README.md", PAGE.replace("Hello", "Welcome").replace("  cart.py", "  cart.py\n  cli.py")),
        ("README.md", PAGE.replace("$ run\n```", "$ run\n$ stop\n```").replace("End", "Ends")),
    ],
    ids=["new", "ends with a fence", "plain", "behind", "before and inside", "inside and behind"],
)
def test_a_document_is_read_to_its_own_end(path, text, size, asked):
    for behind in ("", NEXT):
        changed = {"a.py": "x = 2\n"} if behind else {}
        assert applied(fenced(path, text) + behind, size, asked) == {**FILES, path: text, **changed}


@pytest.mark.parametrize("info", ["", "markdown", "text"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_document_that_the_sentence_above_creates_is_read_to_its_end(info, size):
    said = f"Create `docs/new.md` with this content:\n\n```{info}\n{PAGE}```\n{NEXT}"
    assert applied(said, size, "search_replace") == {**FILES, "docs/new.md": PAGE, "a.py": "x = 2\n"}
    shown = f"The README.md says how to create one:\n\n```{info}\nx\n```\n"
    assert applied(shown, size, "search_replace") == FILES


@pytest.mark.parametrize("asked", ["search_replace", "whole"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("label", ["docs/b.md", "### `docs/b.md`", "**docs/b.md**:\n"])
def test_a_file_that_is_named_right_behind_the_end_is_another(label, size, asked):
    first, last = "docs/a.md\n```\n# A\n```\n", f"README.md\n```\n{PAGE}\nMore.\n```\n"
    said = f"{first}{label}\n```\n# B\n\n```\nmain.py\n\nls\n```\n```\n{last}"
    pages = {"docs/b.md": "# B\n\n```\nmain.py\n\nls\n```\n", "README.md": f"{PAGE}\nMore.\n"}
    assert applied(said, size, asked) == {**FILES, "docs/a.md": "# A\n", **pages}


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("behind", ["That is all.\n", "That is all.\n" + NEXT, "```python\nx = 1\n```\n"])
def test_a_text_that_goes_on_right_behind_the_end_is_none_of_the_document(behind, size):
    text = "# Plain\n\nNothing else.\n"
    changed = {"a.py": "x = 2\n"} if NEXT in behind else {}
    assert applied(fenced("docs/new.md", text) + behind, size, "search_replace") == {
        **FILES,
        "docs/new.md": text,
        **changed,
    }


@pytest.mark.parametrize(
    ("path", "asked"), [("docs/new.md", "search_replace"), ("docs/new.md", "whole"), ("README.md", "whole")]
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_document_that_may_end_before_a_sentence_right_behind_its_fence_is_marked(path, size, asked):
    said = fenced(path, "# Shop\n\nHello, you.\n") + "I greet the reader now. To see it, run:\n```\nls\n```\n"
    assert path in applied(said, size, asked, doubted=True)
    sure = "# Shop\n\n```\nls\n```\nIt lists.\n\n```\nrm\n```\n\nIt removes.\n"
    assert applied(fenced("docs/new.md", sure), size, asked)["docs/new.md"] == sure


@pytest.mark.parametrize("info", ["bash", "console"])
def test_a_command_that_creates_a_document_is_none_of_it(info):
    said = f"To create `docs/new.md`, run:\n\n```{info}\nmake docs > docs/new.md\n```\n"
    assert applied(said, 7, "search_replace") == FILES


@pytest.mark.parametrize("asked", ["search_replace", "whole"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_file_that_a_document_names_in_a_fence_of_its_own_is_none_of_the_answer(size, asked):
    text = "# Shop\n\nRun it:\n\n```\nmain.py\n```\n\nDone.\n"
    assert applied(fenced("docs/new.md", text) + NEXT, size, asked) == {
        **FILES,
        "docs/new.md": text,
        "a.py": "x = 2\n",
    }


def test_a_document_is_not_made_of_code_in_another_language():
    said = "Create a file called docs/new.md:\n\n```{}\n# One\n```\n"
    assert applied(said.format("python"), 7, "search_replace") == FILES
    assert applied(said.format("markdown"), 7, "search_replace") == {**FILES, "docs/new.md": "# One\n"}


@pytest.mark.parametrize("asked", ["search_replace", "whole"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("path", ["docs/new.md", "README.md"])
def test_a_file_whose_name_stands_right_behind_the_fence_of_a_document_is_another(path, size, asked):
    text = f"{PAGE}\nThat is all.\n"
    said = fenced(path, text) + "a.py\n```\nx = 2\n```\n"
    assert applied(said, size, asked) == {**FILES, path: text, "a.py": "x = 2\n"}
