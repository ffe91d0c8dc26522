"""Requests survive the wire: what one side writes, the other reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.backends import request_codec
from spark_tui.backends.base import Exchange, FilePart, Request, Splice
from spark_tui.errors import MalformedInput

TEXT = st.text(max_size=20)
FILES = st.lists(st.builds(FilePart, TEXT, TEXT, st.integers(1, 9), st.integers(0, 9)), max_size=3).map(tuple)
HISTORY = st.lists(st.builds(Exchange, TEXT, TEXT, TEXT), max_size=3).map(tuple)
REQUESTS = st.builds(
    Request,
    TEXT,
    files=FILES,
    history=HISTORY,
    rules=TEXT,
    emitted=st.lists(st.integers(0, 9), max_size=4).map(tuple),
    steer=TEXT,
    format=st.sampled_from(["auto", "lines"]),
    kind=st.sampled_from(["edit", "fill", "warm", "raw"]),
    max_tokens=st.integers(1, 99),
    prefix=TEXT,
    suffix=TEXT,
    temperature=st.floats(0, 2),
    seed=st.integers(-5, 5),
    spliced=st.lists(
        st.builds(Splice, st.lists(st.integers(0, 9), max_size=3).map(tuple), TEXT), max_size=2
    ).map(tuple),
    selection=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    known=st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 9), st.lists(st.text(max_size=9), max_size=2).map(tuple)),
        max_size=2,
    ).map(tuple),
    cursor=st.integers(0, 9),
    stop_texts=st.lists(TEXT, max_size=2).map(tuple),
    prediction=TEXT,
)


@given(REQUESTS)
def test_a_request_survives_the_wire(request):
    assert request_codec.read(request_codec.write(request, {}), {}) == request


@given(REQUESTS, REQUESTS, TEXT, TEXT, st.booleans())
def test_a_request_sent_as_a_difference_is_decoded_to_the_same_request(base, other, answer, outcome, follows):
    """Whatever the client leaves out because the server knows it, the server puts back; else all is sent."""
    request = other
    if follows:
        history = (*base.history, Exchange(base.instruction, answer, outcome))
        request = Request(
            other.instruction, files=base.files, history=history, rules=base.rules, steer=other.steer
        )
    here, there = {}, {}
    for known in (here, there):
        known.update({request_codec.digest(part.text): part.text for part in base.files})
    wire = request_codec.write_after(request, base, answer, (7, 8), here)
    if follows:
        assert wire is not None
        assert "history" not in wire
    if wire is not None:
        assert request_codec.read(wire, there, base=base, answer=answer, ids=(7, 8)) == request


@given(REQUESTS, st.integers(0, 3))
def test_a_resume_is_sent_as_a_number(base, count):
    ids = (4, 5, 6)
    emitted = (base.emitted + ids)[: len(base.emitted) + count]
    request = Request(
        base.instruction, files=base.files, history=base.history, rules=base.rules, emitted=emitted
    )
    known = {request_codec.digest(part.text): part.text for part in base.files}
    wire = request_codec.write_after(request, base, "said", ids, dict(known))
    if emitted:
        assert wire is not None and wire["resume"] == len(emitted)
        assert request_codec.read(wire, dict(known), base=base, answer="said", ids=ids) == request


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT, lambda x: st.lists(x) | st.dictionaries(TEXT, x)
    )
)
def test_anything_else_is_an_error_with_words(value):
    wire = {"instruction": "x", "files": value, "history": value, "resume": value}
    more = ({"spliced": value}, {"spliced": [[value, "x"]]}, {"selection": value}, {"cursor": value})
    for given_value in (value, wire, {"emitted": value}, {"kind": value}, {"max_tokens": value}, *more):
        try:
            request_codec.read(given_value, {})
        except MalformedInput as error:
            assert error.what


def test_a_digest_that_does_not_fit_its_text_is_refused():
    with pytest.raises(MalformedInput, match="digest"):
        request_codec.read({"files": [["a", 1, 1, "0" * 32, "text"]]}, {})
