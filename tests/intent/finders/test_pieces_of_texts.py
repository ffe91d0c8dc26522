"""Texts that go on in the next line, a piece of a docstring, and code that is shown beside a place."""

from __future__ import annotations

from intent.asking import answer_to, changed
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.intent.words.tokens import tokenize

CODE = '''\
"""Names."""

INDENT = 4


def name_of(plugin):
    """Return the name that the plugin has, or ``None`` if
    is isn't. The scope ends.="""
    indent = "  " * 2
    width = 4
    return indent, width, plugin


def parse(spec, minute):
    if minute > 59:
        raise ValueError("minute too large")
    if not spec:
        raise ValueError("format %r not known" % spec)
    return spec
'''


def test_an_apostrophe_ends_no_quoted_piece() -> None:
    text = "'if is isn't' should be 'if it isn't'"
    assert [text[one.inner_start : one.inner_end] for one in tokenize(text).quoted] == [
        "if is isn't",
        "if it isn't",
    ]


def test_a_text_is_replaced_where_it_goes_on_in_the_next_line() -> None:
    said = "in name_of 'if is isn't' should be 'if it isn't'"
    code = changed(CODE, said, "replace_text", function="name_of", old="if is isn't", new="if it isn't")
    assert "or ``None`` if\n    it isn't. The scope" in code


def test_a_docstring_is_not_deleted_for_a_piece_of_it() -> None:
    said = "delete 'The scope ends.=' in name_of"
    found = answer_to(CODE, said, "delete_statement", function="name_of", code="The scope ends.=")
    assert not found.ways


def test_code_shown_in_another_order_tells_which_place_is_meant() -> None:
    text = 'say "format %r not known" % spec, with a TypeError rather than a ValueError'
    first, end = text.index("%"), text.index(", with")
    error, old = text.index("TypeError"), text.index("ValueError")
    slots = {"exception": (Span(error, error + 9, "TypeError", False),)}
    slots["old"] = (Span(old, old + 10, "ValueError", False),)
    message = {"message": (Span(first, end, text[first:end], True),)}
    orders = [
        Order(0, end, (Reading("write", 0.9, message),)),
        Order(end, len(text), (Reading("change_raised", 0.95, slots),)),
    ]
    found = answer_orders(orders, situation({PATH: CODE}, instruction=text))
    code = result(found, {PATH: CODE})
    assert 'raise TypeError("format %r' in code
    assert 'raise ValueError("minute' in code


def test_blanks_in_quotes_are_a_value() -> None:
    said = 'pull the "  " in name_of into a constant STEP'
    code = changed(CODE, said, "extract_constant", value="  ", function="name_of", name="STEP")
    assert 'STEP = "  "' in code
    assert "indent = STEP * 2" in code


def test_another_number_than_was_said_is_not_set() -> None:
    said = "in name_of the width is six, make it eight"
    slots = {"function": "name_of", "variable": "width", "value": "eight"}
    assert not answer_to(CODE, said, "set_value", old="six", **slots).ways
    assert "width = 8" in changed(CODE, said.replace("six", "four"), "set_value", old="four", **slots)
