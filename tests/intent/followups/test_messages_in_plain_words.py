"""Follow-ups in few words: where a value goes, what is kept, which constant is meant."""

from __future__ import annotations

import pytest
from intent.following import situation_behind
from intent.support import PATH

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

MOVE = "import time\n\nDELAY = 5\n\n\ndef move(name, step):\n    return step + 1\n"
GUARD = MOVE.replace("    return", '    if step < 0:\n        raise KeyError("bad step")\n    return')
SLEEP = MOVE.replace("    return", "    time.sleep(1)\n    return")
CATCH = MOVE.replace(
    "    return", "    try:\n        time.sleep(1)\n    except OSError as e:\n        print(e)\n    return"
)
TWICE = MOVE.replace("return step + 1", "return (step + 1) * 2")


def answered(now: str, message: str, intent: str, likely: float = 0.5, **slots: str) -> tuple[Answer, str]:
    """The answer to a message after an edit of `MOVE`, read with no great certainty, and the new text."""
    told = situation_behind(MOVE, now, message)
    spans = {slot: (Span(at := message.index(said), at + len(said), said),) for slot, said in slots.items()}
    answer = answer_orders([Order(0, len(message), (Reading(intent, likely, spans),))], told)
    base = told.before if answer.ways and answer.ways[0].from_before else told.repo
    assert base is not None
    return answer, answer.ways[0].plan.texts(base).get(PATH) or "" if answer.kind == "edit" else ""


@pytest.mark.parametrize(
    "message", ["put the name into the text", "name in die Meldung", "name dans le message"]
)
def test_a_value_goes_into_the_text_that_was_written(message: str) -> None:
    _, text = answered(GUARD, message, "say_value", 0.06, value="name")
    assert 'raise KeyError(f"bad step: {name}")' in text


def test_of_several_texts_none_is_preferred() -> None:
    two = GUARD.replace("    return", '    print("moved")\n    return')
    answer, _ = answered(two, "put the name into the text", "say_value", 0.06, value="name")
    assert answer.kind != "edit"


@pytest.mark.parametrize(
    ("now", "message", "wanted"),
    [
        (
            TWICE,
            "keep the old behaviour when name is None",
            "if name is not None:\n        return (step + 1) * 2\n    return step + 1\n",
        ),
        (
            TWICE,
            "as before if name is None please",
            "if name is not None:\n        return (step + 1) * 2\n    return step + 1\n",
        ),
        (GUARD, "the old behaviour when step is None", "if step is not None and step < 0:"),
    ],
)
def test_what_was_there_stays_under_a_condition(now: str, message: str, wanted: str) -> None:
    _, text = answered(now, message, "pattern.invert_if")
    assert wanted in text


@pytest.mark.parametrize(
    ("message", "taken"), [("there's a constant", "sleep(DELAY)"), ("put it in a constant", "sleep(1)")]
)
def test_the_only_constant_is_taken_where_one_is_known(message: str, taken: str) -> None:
    _, text = answered(SLEEP, message, "extract_constant", 0.9)
    assert taken in (text or SLEEP)


@pytest.mark.parametrize("message", ["re-raise it afterwards", "und wirf ihn danach"])
def test_a_handler_raises_its_error_again(message: str) -> None:
    _, text = answered(CATCH, message, "amend.raise_instead", 0.9)
    assert "    except OSError as e:\n        print(e)\n        raise\n" in text


def test_a_verb_in_front_of_a_value_names_no_argument() -> None:
    _, text = answered(SLEEP, "use DELAY", "amend.value", 0.9, value="DELAY")
    assert "time.sleep(DELAY)" in text


def test_an_order_without_a_subject_is_about_the_parameter_that_was_tested() -> None:
    _, text = answered(GUARD.replace("step < 0", '"@" in name'), "blanks must not matter", "strip_value", 0.9)
    assert "    name = name.strip()\n" in text
