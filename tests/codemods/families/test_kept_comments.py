"""Comments on lines that a pattern replaces."""

from __future__ import annotations

from codemods.repositories import after, refusal


def test_comments_of_what_goes_stand_above_what_comes() -> None:
    code = "import os\n\ntry:  # once\n    os.f()\nexcept OSError:  # gone\n    pass  # noqa: S110\n"
    new = (
        "import os\nfrom contextlib import suppress\n\n# once\n# gone\nwith suppress(OSError):\n    os.f()\n"
    )
    assert after("apply_pattern suppress 'in m.py'", code) == new


def test_a_comment_that_a_tool_reads_of_its_line_is_not_moved() -> None:
    code = "xs = []\nout = []  # type: ignore\nfor x in xs:\n    out.append(x.b)\n"
    found = refusal("apply_pattern list_comprehension 'in m.py'", {"m.py": code})
    assert found.reason == "m.py:2: the comment '# type: ignore' would be lost"


def test_what_finds_the_exceptions_is_not_called_early() -> None:
    code = "def errors():\n    return OSError\n\n\ntry:\n    print(2)\nexcept errors():\n    pass\n"
    assert "errors()" in refusal("apply_pattern suppress 'in m.py'", {"m.py": code}).reason
