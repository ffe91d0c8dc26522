"""Code that is dictated with the words for its signs."""

from __future__ import annotations

import pytest
from intent.asking import changed

from spark_tui.intent.words.spoken_code import code_said, is_dictated

NAMES = {"FakeDatetime", "move_to", "time_to_freeze", "MOST_ITEMS", "_save"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (
            "log dot debug open paren quote thawing slowly close quote close paren",
            'log.debug("thawing slowly")',
        ),
        (
            "self dot move to open paren self dot time to freeze plus delta close paren",
            "self.move_to(self.time_to_freeze + delta)",
        ),
        ("fake datetime dot today", "FakeDatetime.today"),
        ("frame equals frame dot f back", "frame = frame.f_back"),
        ("attr underscore name", "attr_name"),
        ("underscore should use real time", "_should_use_real_time"),
        ("underscore underscore init underscore underscore", "__init__"),
        ("not open paren field dot owner is player close paren", "not (field.owner is player)"),
        ("len open paren row close paren greater than most items", "len(row) > MOST_ITEMS"),
        ("rows open bracket zero close bracket equals none", "rows[0] = None"),
        ("print open paren a comma b close paren", "print(a, b)"),
        ("module name equals", "module_name"),
    ],
)
def test_words_for_signs_are_the_signs(words: str, code: str) -> None:
    assert code_said(words, NAMES) == code


@pytest.mark.parametrize(
    "words",
    [
        "a dot",
        "the dot",
        "plus equals",
        "the user name",
        "self.save()",
        "x plus y",
        "open paren x",
        "dot dot",
    ],
)
def test_what_is_no_code_is_left_as_it_is(words: str) -> None:
    assert code_said(words, NAMES) == ""


def test_dictated_code_is_inserted() -> None:
    code = "def stop(self):\n    self.done = True\n"
    said = "at the beginning of stop insert print open paren quote stopping quote close paren"
    words = "print open paren quote stopping quote close paren"
    new = changed(code, said, "insert_at_start", function="stop", code=words)
    assert new == 'def stop(self):\n    print("stopping")\n    self.done = True\n'


def test_a_dictated_text_has_its_signs() -> None:
    code = 'def agent(name="old-name"):\n    return name\n'
    said = "change the default of name to new hyphen name"
    assert changed(code, said, "set_default", parameter="name", default="new hyphen name") == code.replace(
        "old", "new"
    )
    text = "how it is called by all of the others period"
    new = changed(
        code, f"add a doc string to agent saying {text}", "set_docstring", function="agent", text=text
    )
    assert '    """How it is called by all of the others."""\n' in new


def test_a_text_with_the_name_of_a_sign_stays_a_text() -> None:
    code = 'def f():\n    print("left dot right")\n'
    new = changed(
        code, "left dot right becomes left dot", "replace_text", old="left dot right", new="left dot"
    )
    assert new == 'def f():\n    print("left dot")\n'


def test_what_has_signs_or_capitals_is_not_dictated() -> None:
    assert is_dictated("in run pending log at debug level checking jobs")
    assert not is_dictated("log it, then stop") and not is_dictated("rename Cart to basket")
