"""Files in the text of a message."""

import pytest
from support.long_texts import ENDLESS
from support.tiny_models import spark_backend

from spark_tui.backends.base import Request
from spark_tui.errors import NoFileShown
from spark_tui.serve.api_errors import from_spark_error
from spark_tui.serve.prompts.fenced_files import split_files
from spark_tui.serve.prompts.prompt_parser import without_reminder


@pytest.mark.parametrize(
    ("text", "rest", "files"),
    [
        ("a.py\n```\nx\n```\ndo it", "do it", [("a.py", "x\n")]),
        ("do it\n\n**shop/cart.py**:\n```python\nx\n\ny\n```", "do it", [("shop/cart.py", "x\n\ny\n")]),
        ("```python:a.py\nx\n```\nand\n```py b.py\ny\n```", "and", [("a.py", "x\n"), ("b.py", "y\n")]),
        ("### `Makefile`\n~~~~\n~~~\nall:\n~~~\n~~~~\ngo", "go", [("Makefile", "~~~\nall:\n~~~\n")]),
        ("like\n```\nx\n```\nso", "like\n```\nx\n```\nso", []),
        ("a.py\n```\n<<<<<<< SEARCH\nx\n```\nso", "a.py\n```\n<<<<<<< SEARCH\nx\n```\nso", []),
        ("a.py\n```\nnever closed", "a.py\n```\nnever closed", []),
        ("see b.py\na.py\n```\nx\n```\n```\ny\n```", "see b.py\n```\ny\n```", [("a.py", "x\n")]),
        ("a.py\r\n```\r\nx\r\n```\r\ndo it", "do it", [("a.py", "x\r\n")]),
        ("a.py\n```\n```\nempty it", "empty it", [("a.py", "")]),
        ("", "", []),
    ],
)
def test_a_fence_with_a_path_is_a_file_and_the_rest_is_text(text, rest, files):
    assert split_files(text) == (rest, files)


@pytest.mark.parametrize("line", ["", "#", "~~~x", "```x", "a.", "a.py\n```", "~~~~~", "> * `", "x.y " * 100])
def test_reading_is_work_in_proportion_to_the_text(line):
    text = f"{line}\n" * (ENDLESS // (len(line) + 1)) + "do it"
    split_files(text)
    assert without_reminder(text) == text


def test_a_model_of_files_that_is_shown_none_does_not_say_that_its_window_is_full():
    assert from_spark_error(NoFileShown("none is shown")).code == "no_file_shown"
    with pytest.raises(NoFileShown):
        spark_backend(3).prompt_tokens(Request("fix it"))
