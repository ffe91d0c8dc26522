"""Arguments read while they arrive are those that a JSON parser reads at once."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tools.argument_reader import ArgumentReader, BrokenArguments

SCALARS = st.text(st.characters(exclude_categories=("Cs",)))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCALARS, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(SCALARS, VALUES, max_size=4)


def read(text, cuts=()):
    reader, pieces, start = ArgumentReader(), [], 0
    for cut in [*sorted(cuts), len(text)]:
        pieces += reader.feed(text[start:cut])
        start = cut
    return reader.finish(), pieces


@given(OBJECTS, st.data(), st.booleans())
def test_any_cut_of_an_object_gives_its_members(made, data, plain):
    text = json.dumps(made, ensure_ascii=not plain, indent=data.draw(st.sampled_from([None, 1])))
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    values, pieces = read(text, cuts)
    assert values == made
    strings = {name: value for name, value in made.items() if isinstance(value, str)}
    assert {name: "".join(p.text for p in pieces if p.name == name) for name in strings} == strings
    assert [p.name for p in pieces if p.ended] == list(strings)


def test_text_is_given_before_the_object_is_complete():
    reader = ArgumentReader()
    assert [p.text for p in reader.feed('{"path": "a.py", "new": "def f(')] == ["a.py", "def f("]
    assert [p.text for p in reader.feed("x\\")] == ["x"]
    assert [p.text for p in reader.feed("n")] == ["\n"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1', "end inside"),
        ('{"a": "x', "end inside"),
        ('{"a" 1}', "unexpected '1' at character 6"),
        ('{"a": 1} x', "unexpected 'x'"),
        ('{"a": tru}', "'a' is not JSON"),
        ('{"a": "\\q"}', "unknown escape"),
        ('{"a": "\\u12x4"}', "unfinished escape"),
        ('{"a": 1, "a": 2, "a": "z"}', "given twice"),
        ("[1]", "begin with '['"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "is not JSON"),
    ],
)
def test_what_is_no_object_is_named(text, said):
    with pytest.raises(BrokenArguments, match=said.replace("[", r"\[")):
        read(text)


@pytest.mark.parametrize("text", ['"\\ud83d"', '"\\ud83dx"', '"\\ud83d\\n"', '"\\ude00"', '"\ud83d"'])
def test_half_of_a_pair_becomes_a_replacement_character(text):
    for cut in range(len(text) + 6):
        values, _ = read('{"a":' + text + "}", [min(cut, len(text) + 6)])
        assert values["a"].startswith("\ufffd")
        assert "\ud83d" not in values["a"]


def test_an_escaped_backslash_before_what_looks_like_half_of_a_pair_stays_one():
    text = '{"a": "\\\\ud83d"}'
    for cut in range(len(text)):
        assert read(text, [cut])[0] == {"a": "\\ud83d"}


def test_line_breaks_that_are_not_escaped_count():
    assert read('{"new": "a\nb"}')[0] == {"new": "a\nb"}


def test_an_empty_object_before_the_arguments_is_passed_over():
    """Some proxies send the empty input with which a call begins, and then its parts."""
    text = '{}{"new": "a"}'
    for cut in range(len(text)):
        assert read(text, [cut])[0] == {"new": "a"}


@pytest.mark.parametrize("end", ["}", " }}\n"])
def test_an_object_that_is_closed_twice_is_taken(end):
    assert read('{"new": "a"}' + end)[0] == {"new": "a"}
    with pytest.raises(BrokenArguments):
        read('{"new": "}' + '"}"}')  # a quote that is not escaped


def test_no_text_is_no_arguments():
    assert read("") == ({}, [])


def test_five_megabytes_in_one_string_are_read_in_pieces():
    text = json.dumps({"new": "x" * 5_000_000})
    values, _ = read(text, range(0, len(text), 1000))
    assert len(values["new"]) == 5_000_000
    with pytest.raises(BrokenArguments, match="longer than"):
        read(json.dumps({"new": "x" * 9_000_000}))
