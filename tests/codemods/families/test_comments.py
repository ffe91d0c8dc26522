"""Which comments are removed, and what is said where there are none."""

from __future__ import annotations

import pytest
from codemods.repositories import refusal


@pytest.mark.parametrize(("text", "why"), [(".. versionadded", "unfit"), ("TODO", "nothing")])
def test_a_text_that_is_no_comment_is_not_said_to_be_gone(text: str, why: str) -> None:
    files = {"m.py": '"""Load.\n\n..  versionadded:: 1.0\n"""\n'}
    assert refusal(f"remove_comments 'in m.py' text='{text}'", files).why == why
