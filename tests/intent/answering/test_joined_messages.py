"""Messages that are read together with the instruction before them."""

from __future__ import annotations

from dataclasses import replace

from intent.support import PATH
from support.fake_reader import FakeReader

from spark_tui.intent.answering.joined_messages import answer_together
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.symbol_roles import RepositoryRoles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = "LIMIT = 3\nRATE = 1\n"
FIRST, THEN = "make it 4", "the limit"
FORMS = (f"{FIRST}, {THEN}", f"{FIRST}. {THEN}", f"{FIRST} ({THEN})", f"{THEN}: {FIRST}")
LIMIT = ("set_value", {"variable": "limit", "value": "4"}, 0.99)
OTHER = ("rename", {"symbol": "limit", "new": "make"}, 0.99)
BEFORE = Repository(DictTree({PATH: CODE}))
DECLINED = Situation(
    BEFORE, PATH, earlier=Done("set_value", {}, ()), before=BEFORE, instruction=THEN, asked=FIRST
)


def together(
    *means: tuple[str, dict[str, str], float], now: Situation = DECLINED, kind: str = "write"
) -> str:
    """The file after the message, by how the forms are read; empty where it is left as it was answered."""
    reader = FakeReader({form: (read,) for form, read in zip(FORMS, means, strict=True)})
    symbols = RepositoryRoles().of(BEFORE.index, ())
    alone = Answer(kind)  # type: ignore[arg-type]
    found = answer_together(alone, reader, now, lambda _: symbols)
    if found is alone:
        return ""
    assert found.ways[0].from_before and "read together with the message before" in found.ways[0].marked
    return found.ways[0].plan.texts(BEFORE)[PATH] or ""


def test_the_message_completes_the_instruction() -> None:
    assert together(LIMIT, LIMIT, LIMIT, LIMIT) == "LIMIT = 4\nRATE = 1\n"


def test_most_forms_have_to_agree() -> None:
    assert together(LIMIT, OTHER, LIMIT, LIMIT) == "LIMIT = 4\nRATE = 1\n"
    assert together(LIMIT, OTHER, OTHER, LIMIT) == ""


def test_it_is_the_kind_of_edit_that_was_asked_for() -> None:
    assert together(OTHER, OTHER, OTHER, OTHER) == ""


def test_what_is_read_alone_stays() -> None:
    assert together(LIMIT, LIMIT, LIMIT, LIMIT, kind="edit") == ""
    assert together(LIMIT, LIMIT, LIMIT, LIMIT, kind="undo") == ""


def test_an_edit_that_somebody_else_wrote_stays() -> None:
    now = replace(DECLINED, repo=BEFORE.with_changes({PATH: CODE.replace("1", "2")}))
    assert together(LIMIT, LIMIT, LIMIT, LIMIT, now=now) == ""


def test_another_edit_takes_the_place_of_the_last_one() -> None:
    calls = Done("set_value", {}, ("known",))  # type: ignore[arg-type]
    now = replace(DECLINED, repo=BEFORE.with_changes({PATH: CODE.replace("3", "4")}), earlier=calls)
    assert together(LIMIT, LIMIT, LIMIT, LIMIT, now=now) == ""
    now = replace(now, repo=BEFORE.with_changes({PATH: CODE.replace("1", "4")}))
    assert together(LIMIT, LIMIT, LIMIT, LIMIT, now=now) == "LIMIT = 4\nRATE = 1\n"
