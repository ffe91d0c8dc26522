"""Literals that an edit wrote: constants and parameters in their place, values that go to something else."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

TOP = 'import os\n\nTIMEOUT = 10\nPATH = "a.json"\nMAX_TRIES = 3\n\n\n'
HEAD, END = "def load(session, url):\n", "    return session.get(url)\n"
WAS = TOP + HEAD + END


@pytest.mark.parametrize(
    ("line", "message", "intent", "wanted"),
    [
        (
            "session.get(url, timeout=30)",
            "use the constant",
            "amend.value",
            "session.get(url, timeout=TIMEOUT)",
        ),
        (
            "session.get(url, timeout=30)",
            "a constant please",
            "extract_constant",
            "session.get(url, timeout=TIMEOUT)",
        ),
        ('session.get("a.json")', "there is a constant for that", "extract_constant", "session.get(PATH)"),
    ],
)
def test_the_constant_that_fits_takes_the_place_of_a_literal(
    line: str, message: str, intent: str, wanted: str
) -> None:
    slots = {"value": "the constant"} if intent == "amend.value" else {}
    _, text = answer_behind(WAS, WAS.replace("session.get(url)", line), message, intent, **slots)
    assert text == WAS.replace("session.get(url)", wanted)


@pytest.mark.parametrize(
    ("message", "slots"), [("make it a parameter", {}), ("make timeout a parameter", {"name": "timeout"})]
)
def test_a_literal_becomes_a_parameter_with_it_as_the_default(message: str, slots: dict[str, str]) -> None:
    written = WAS.replace("get(url)", "get(url, timeout=30)")
    _, text = answer_behind(WAS, written, message, "add_parameter", **slots)
    wanted = WAS.replace("get(url)", "get(url, timeout=timeout)")
    assert text == wanted.replace("load(session, url)", "load(session, url, timeout=30)")


def test_the_result_of_a_guard_becomes_a_parameter() -> None:
    written = WAS.replace(END, f"    if not url:\n        return None\n{END}")
    _, text = answer_behind(WAS, written, "let the caller pass a default", "add_parameter", name="default")
    wanted = written.replace("return None", "return default")
    assert text == wanted.replace("load(session, url)", "load(session, url, default=None)")


def test_a_value_after_the_name_of_an_argument_goes_to_that() -> None:
    written = WAS.replace("return session.get(url)", "return session.get(url, PATH)")
    _, text = answer_behind(WAS, written, "stream=True", "amend.value", value="True")
    assert "session.get(url, PATH, stream=True)" in (text or "")


def test_a_member_of_the_same_module_takes_the_place_of_one() -> None:
    written = WAS.replace(END, f"    if os.path.exists(url):\n        return None\n{END}")
    _, text = answer_behind(WAS, written, "isdir is better", "amend.return_instead", result="isdir")
    assert text == written.replace("exists", "isdir")


def test_a_method_that_needs_arguments_is_not_called_without_any() -> None:
    written = WAS.replace(END, f"    url = url.lower()\n{END}")
    _, text = answer_behind(WAS, written, "startswith", "amend.value", value="startswith")
    assert "startswith()" not in text


def test_a_sign_is_a_text_and_no_operator() -> None:
    written = WAS.replace(END, f'    if url.startswith("."):\n        return None\n{END}')
    _, text = answer_behind(WAS, written, "underscore, not dot", "amend.value", value="underscore", old="dot")
    assert text == written.replace('"."', '"_"')
