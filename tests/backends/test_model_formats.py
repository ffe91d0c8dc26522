"""The table of edit formats by model family."""

from fnmatch import fnmatchcase

import pytest

from spark_tui.backends.chat_messages import model_formats
from spark_tui.edits.parser import FORMATS


def test_every_row_names_a_format_and_the_last_one_fits_any_model():
    rows = model_formats()
    assert {form for _, form in rows} <= set(FORMATS) - {"auto", "lines"}
    assert rows[-1][0] == "*"


@pytest.mark.parametrize(
    ("model", "form"),
    [
        ("gpt-5", "apply_patch"),
        ("o3-mini", "apply_patch"),
        ("qwen3-coder", "search_replace"),
        ("x", "search_replace"),
    ],
)
def test_a_model_is_asked_for_what_its_family_writes(model, form):
    assert next(form for pattern, form in model_formats() if fnmatchcase(model, pattern)) == form
