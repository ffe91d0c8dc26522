"""What is removed, and what is said where there is nothing of it."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal, texts_after


@pytest.mark.parametrize(
    ("text", "why"), [(".. versionadded", "unfit"), ("TODO", "nothing"), ("loading todo", "unfit")]
)
def test_a_text_that_is_no_comment_is_not_said_to_be_gone(text: str, why: str) -> None:
    files = {"m.py": '"""Load.\n\n..  versionadded:: 1.0\n"""\n# speed up loading\n'}
    assert refusal(f"remove_comments 'in m.py' text='{text}'", files).why == why


def test_a_file_does_not_begin_with_the_blank_lines_behind_what_is_deleted() -> None:
    old = "from __future__ import division\n\n\nimport os\n\nprint(os.name)\n"
    assert after("delete_statements m.py:1", old) == "import os\n\nprint(os.name)\n"


def test_only_code_that_is_commented_out_goes() -> None:
    old = "x = 1\n# total = 0\nz = 1\n# The rate:\n#   rate = 2\ny = 2  # noqa\n# log(x)  # noqa\n"
    assert after("remove_comments 'in m.py' code=true", old) == old.replace("# total = 0\n", "").replace(
        "# log(x)  # noqa\n", ""
    )
    assert refusal("remove_comments 'in m.py' code=true", {"m.py": "x = 1  # the rate\n"}).why == "nothing"


def test_code_among_words_is_said_to_be_left_and_goes_with_a_doubt_where_there_is_no_other() -> None:
    beside = "# Before:\n# return 1\nx = 1\n"
    files = {"m.py": f"{beside}# total = 0\n", "n.py": beside}
    calls = [f"remove_comments 'in {path}' code=true" for path in files]
    assert [texts_after(call, files) for call in calls] == [{"m.py": beside}, {"n.py": "# Before:\nx = 1\n"}]
    doubts = [one.reason for call in calls for one in plan(call, files).unfollowed]
    assert ["example" in doubt for doubt in doubts] == [False, True]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_settings_of_a_script_stay_whatever_the_line_endings_are(newline: str) -> None:
    packages = "".join(f'#     "package-{number}",\n' for number in range(30))
    script = f"# /// script\n# dependencies = [\n{packages}# ]\n# ///\nimport os"
    old = f"{script}  # for the paths\n".replace("\n", newline)
    assert after("remove_comments 'in m.py'", old) == f"{script}\n".replace("\n", newline)


def test_comments_for_tools_are_not_said_to_be_gone() -> None:
    assert refusal("remove_comments 'in m.py'", {"m.py": "x = 1  # type: ignore\n"}).why == "unfit"


def test_a_further_sign_in_a_new_comment_stays_as_it_is() -> None:
    assert after("set_comment m.py:1 '#c # d'", "a = 1  #: b\n") == "a = 1  #c # d\n"
