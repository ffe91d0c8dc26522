"""A variable of a function that is not named is the one that is set only to be returned."""

from __future__ import annotations

from intent.asking import answer_to

CODE = """def fold(text):
    try:
        raw = text.decode()
        return raw.lower()
    except AttributeError:
        mode = "replace"
        made = text.encode("ascii", mode)
        return made
"""


def _calls(code: str) -> list[str]:
    found = answer_to(code, "no need for a variable in fold", "inline_variable", function="fold")
    return [way.title for way in found.ways]


def test_the_one_that_is_returned_alone_is_meant() -> None:
    assert "fold.made" in _calls(CODE)[0] and not any("fold.raw" in one for one in _calls(CODE))


def test_else_the_one_that_is_returned_with_more() -> None:
    assert "fold.raw" in _calls(CODE.replace("return made", "return mode"))[0]


def test_where_no_name_is_set_to_be_returned_none_is_inlined() -> None:
    code = CODE.replace("return made", "return mode").replace("return raw.lower()", "return 1")
    assert not any("fold." in one for one in _calls(code))
