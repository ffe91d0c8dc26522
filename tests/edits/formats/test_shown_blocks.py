"""Text of a document that shows search/replace blocks: they are lines of it, not edits of their own."""

import pytest

from spark_tui.edits.parser import answer_parser
from spark_tui.events import Doubt, HunkClosed, HunkFailed

OPEN, DIVIDE, END = "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n"
SHOWN = f"```\n{OPEN}old\n{DIVIDE}new\n{END}```\n"
PAGE = f"# Formats\n\nUse this:\n\n{SHOWN}\nEnd.\n"
CODE = "def f():\n    x = 1\n    return x\n"
FILES = {"docs/page.md": PAGE, "a.py": CODE}
NEXT = f"\na.py\n{OPEN}    x = 1\n{DIVIDE}    x = 2\n{END}"


def block(path, old, new):
    return f"{path}\n{OPEN}{old}{DIVIDE}{new}{END}"


def applied(text, size):
    """Each file with the hunks of an answer, and the number of its failures."""
    read = {name: data.splitlines() for name, data in FILES.items()}
    parser = answer_parser("search_replace", read.get, shown=tuple(read))
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    found = [*(event for piece in pieces for event in parser.feed(piece)), *parser.finish()]
    for hunk in sorted((e for e in found if isinstance(e, HunkClosed)), key=lambda e: -e.old_start):
        at = hunk.old_start - 1
        read.setdefault(hunk.path, [])[at : at + len(hunk.old_lines)] = hunk.new_lines
    assert not any(isinstance(event, Doubt) for event in found)
    files = {name: "".join(f"{line}\n" for line in lines) for name, lines in read.items()}
    return files, sum(isinstance(event, HunkFailed) for event in found)


@pytest.mark.parametrize("size", [1, 11, 10_000])
@pytest.mark.parametrize(
    ("said", "page", "path"),
    [
        (block("docs/new.md", "", PAGE), PAGE, "docs/new.md"),
        (f"docs/new.md\n```markdown\n{block('', '', PAGE)[1:]}```\n", PAGE, "docs/new.md"),
        (block("docs/new.md", "", PAGE + PAGE), PAGE + PAGE, "docs/new.md"),
        (block("docs/page.md", "End.\n", f"End.\n\n{SHOWN}"), f"{PAGE}\n{SHOWN}", "docs/page.md"),
        (block("docs/page.md", SHOWN, SHOWN.replace("o", "O")), PAGE.replace("old", "Old"), "docs/page.md"),
        (block("docs/page.md", f"Use this:\n\n{SHOWN}", ""), "# Formats\n\n\nEnd.\n", "docs/page.md"),
    ],
    ids=["new file", "new file in a fence", "twice", "added", "changed", "removed"],
)
def test_a_block_that_a_page_shows_is_text_of_it(said, page, path, size):
    files, failures = applied(f"{said}{NEXT}", size)
    assert files == {**FILES, path: page, "a.py": CODE.replace("1", "2")}
    assert not failures


@pytest.mark.parametrize("size", [1, 11, 10_000])
@pytest.mark.parametrize("fence", ["", "```\n\n", "```\nand\n\n```python\n"])
@pytest.mark.parametrize("end", ["", END])
def test_a_block_that_lacks_its_end_fails_alone(fence, size, end):
    cut = f"a.py\n{OPEN}    return x\n{DIVIDE}    return 2\n{fence}"
    files, failures = applied(f"{cut}{NEXT}{end}{NEXT.replace('1', '2', 1).replace('2', '3')}", size)
    assert files["docs/page.md"] == PAGE and "x = 2\n" in files["a.py"]
    assert "return x" in files["a.py"] and failures


def test_many_blocks_that_lack_their_end_are_read_once():
    cut = f"```\n{OPEN}    x = 1\n{DIVIDE}    x = 2\n"
    files, failures = applied(f"a.py\n{cut * 4000}", 10_000)
    assert files == FILES and failures == 4000
