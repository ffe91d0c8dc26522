"""What is said of fields that models declare, which goes into the call that declares them."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.answering.field_properties import or_field_property
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

TABLES = """from sqlalchemy import Column, Float, String


class Item(Base):
    name = Column(String)
    sku = Column(String, unique=True)
    price = Column(Float)
"""
MODELS = """from django.db import models


class Order(models.Model):
    email = models.EmailField()
    note = models.TextField()
    number = models.CharField(max_length=20)
"""
DATA = """from pydantic import BaseModel, Field


class Profile(BaseModel):
    age: int
    size: int = 0
    nick: str = Field(default="")
"""
_reader = lru_cache(maxsize=1)(Reader.load)


def after(code: str, text: str) -> str:
    """The code after a message that was read as nothing."""
    found = or_field_property(Answer("write"), situation({PATH: code}, instruction=text))
    return result(found, {PATH: code}) if found.ways else ""


@pytest.mark.parametrize(
    ("code", "text", "line"),
    [
        (TABLES, "make name and price non nullable", "name = Column(String, nullable=False)"),
        (TABLES, "make name and price non nullable", "price = Column(Float, nullable=False)"),
        (TABLES, "index the sku column", "sku = Column(String, unique=True, index=True)"),
        (TABLES, "price can't be null", "price = Column(Float, nullable=False)"),
        (MODELS, "let note be blank", "note = models.TextField(blank=True)"),
        (MODELS, "add an index on number", "number = models.CharField(max_length=20, db_index=True)"),
        (DATA, "make age optional", "age: int | None = None"),
        (DATA, "make size optional", "size: int | None = 0"),
    ],
)
def test_a_property_becomes_a_keyword_of_the_field(code: str, text: str, line: str) -> None:
    assert f"    {line}\n" in after(code, text)


@pytest.mark.parametrize(
    "text",
    ["make the total null", "name the null price in the log", "email null prices to support", "price is low"],
)
def test_a_message_that_says_more_is_left(text: str) -> None:
    assert not after(TABLES, text)


def test_a_dataclass_is_not_broken_by_a_default_before_fields_without_one() -> None:
    code = "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    a: int\n    b: int\n"
    assert not after(code, "make a optional")
    assert "b: int | None = None" in after(code, "make b optional")


def test_a_field_is_no_value_that_could_be_changed() -> None:
    after_unique = changed(
        MODELS, "email should be unique", "apply_function", variable="email", transform="unique"
    )
    assert "email = models.EmailField(unique=True)" in after_unique
    answer_of = answer_to(MODELS, "strip note", "strip_value", variable="note")
    assert not answer_of.ways and "declares a field" in answer_of.reason


def test_defaults_and_limits_are_keywords_of_the_field() -> None:
    slots = {"variable": "number", "value": "x1"}
    assert 'max_length=20, default="x1")' in changed(MODELS, "default of number: x1", "set_value", **slots)
    slots = {"variable": "nick", "maximum": "30"}
    text = "limit nick to 30 characters"
    assert 'Field(default="", max_length=30)' in changed(DATA, text, "limit_value", **slots)


def test_a_limit_that_a_first_value_keeps_is_no_claim_that_all_is_done() -> None:
    slots = {"variable": "size", "minimum": "0"}
    found = answer_to(DATA, "size must be at least 0", "limit_value", **slots)
    assert found.kind != "nothing"


def test_messages_are_read_to_the_end() -> None:
    where = situation({"m.py": MODELS}, path="m.py", instruction="allow note to be blank")
    roles = RepositoryRoles().of(where.repo.index, ("m.py",))
    found = answer("allow note to be blank", _reader(), where, roles)
    assert found.ways and found.ways[0].marked
    assert "blank=True" in (found.ways[0].plan.texts(where.repo)["m.py"] or "")


def test_a_new_field_of_a_model_has_a_type() -> None:
    found = answer_to(DATA, "add a field phone to Profile", "add_field", name="phone", **{"class": "Profile"})
    assert "    phone: str | None = None\n" in result(found, {PATH: DATA})
    assert "its type was assumed to be str" in map(str, found.ways[0].marked)
