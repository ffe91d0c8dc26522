"""Requests become the ids of the layout, and answers become the text of `lines` with the file's own line
numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.spark_tokenizer import spark_tokenizer

from spark_tui.backends.answers.attempt_gate import HELD_TOKENS, PassThrough
from spark_tui.backends.base import Exchange, FilePart, Request, Splice, lines_of
from spark_tui.backends.local.spark_format import SparkFormat, past_exchange
from spark_tui.engine.text import token_layout
from spark_tui.errors import Misfit
from spark_tui.events import Doubt, Token

FILE = FilePart(
    "src/geometry/area.py", "def area(width, height):\n    return width * height\n", first_line=41
)
SETTINGS = {"gate": {"cannot": 0.4, "doubt": 0.5}, "max_window_lines": 300}


def dialect():
    return SparkFormat(spark_tokenizer(), SETTINGS)


def enc(text):
    return spark_tokenizer().encode(text)


def hunk(first, last, *lines):
    return token_layout.encode_hunk(enc, token_layout.WindowHunk(first, last, lines))


def text_of(asked, ids, logprob=-0.01):
    events = [event for token in ids for event in asked.reader.read(Token(token, "", False, logprob), False)]
    return "".join(event.text for event in events if isinstance(event, Token)), events


def test_a_warm_file_is_the_beginning_of_every_prompt_about_it():
    warm = dialect().ask(Request("", (FILE,), kind="warm")).ids
    for instruction in ("rename width", "add a docstring"):
        ids = dialect().ask(Request(instruction, (FILE,))).ids
        assert ids[: len(warm)] == warm
        assert ids[-1] == token_layout.OUT


def test_a_line_number_in_the_instruction_becomes_that_line_s_tag():
    ids = dialect().ask(Request("change line 42", (FILE,))).ids
    assert token_layout.tag(1) in ids[ids.index(token_layout.INSTR) :]


def test_an_answer_names_the_lines_of_the_file_not_of_the_window():
    asked = dialect().ask(Request("x", (FILE,)))
    text, _ = text_of(asked, [*hunk(1, 2, "    return width * height + 1"), *hunk(2, 2, "# end", "")])
    assert (
        text
        == "*** src/geometry/area.py\n@@ 42,43\n+    return width * height + 1\n\n@@ 43,43\n+# end\n+\n\n"
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.lists(st.text("ab é(_)", max_size=6), max_size=3)),
        max_size=3,
    )
)
def test_what_was_read_before_a_resume_and_after_it_is_the_whole(hunks):
    ids = [
        token for first, last, lines in hunks for token in hunk(min(first, last), max(first, last), *lines)
    ]
    whole, _ = text_of(dialect().ask(Request("x", (FILE,))), ids)
    for cut in range(len(ids) + 1):
        before, _ = text_of(dialect().ask(Request("x", (FILE,))), ids[:cut])
        asked = dialect().ask(Request("x", (FILE,), emitted=tuple(ids[:cut])))
        after, _ = text_of(asked, ids[cut:])
        assert before + after == whole


def test_verdicts_are_text_of_the_format():
    for token, word in ((token_layout.NOEDIT, "no-edit"), (token_layout.CANNOT, "cannot")):
        text, _ = text_of(dialect().ask(Request("x", (FILE,))), [token])
        assert text == f"*** src/geometry/area.py\n@@ {word}\n"


def test_an_unsure_hunk_is_marked_and_a_sure_one_is_not():
    asked = dialect().ask(Request("x", (FILE,)))
    _, sure = text_of(asked, hunk(0, 1, "def area():"), logprob=-0.001)
    _, unsure = text_of(asked, hunk(1, 2, "    pass"), logprob=-0.5)
    assert [event for event in sure if isinstance(event, Doubt)] == []
    (doubt,) = [event for event in unsure if isinstance(event, Doubt)]
    assert doubt.hunk_id == 2
    assert doubt.confidence < 0.5


def test_hunks_before_a_resume_count_for_the_numbering():
    asked = dialect().ask(Request("x", (FILE,), emitted=tuple(hunk(0, 1, "a"))))
    _, events = text_of(asked, hunk(1, 2, "b"), logprob=-2.0)
    assert [event.hunk_id for event in events if isinstance(event, Doubt)] == [2]


def test_what_was_spliced_in_before_is_read_again_as_it_was():
    first, second = tuple(hunk(0, 1, "def area(a, b):")), tuple(hunk(1, 2, "pass"))
    steered = dialect().ask(Request("x", (FILE,), emitted=first, steer="no, line 42"))
    resumed = dialect().ask(
        Request("x", (FILE,), spliced=(Splice(first, "no, line 42"),), emitted=second[:-1])
    )
    assert [*resumed.ids, *resumed.behind] == [*steered.ids, *second[:-1]]
    assert resumed.behind == second[:-1]
    text, _ = text_of(resumed, [second[-1]])
    assert text == "\n"
    again = dialect().ask(
        Request("x", (FILE,), spliced=(Splice(first, "no, line 42"),), emitted=second, steer="b")
    )
    assert again.ids[: len(resumed.ids) + len(second)] == [*resumed.ids, *second]
    assert again.reader.hunks == 2


@pytest.mark.parametrize(
    ("outcome", "kept"),
    [
        ("a.py:3: accepted", True),
        ("a.py:3: rejected\na.py:9: accepted in part, as\n+x", True),
        ("a.py:3: changed by the user to\n+x", True),
        ("a.py:3: rejected", False),
        ("a.py:3: accepted, then undone", False),
        ("a.py:3: not decided", False),
    ],
)
def test_an_edit_that_the_file_does_not_show_was_turned_down(outcome, kept):
    assert past_exchange(Exchange("do it", "", outcome), FILE, 2).kept is kept


def test_a_steer_is_spliced_in_after_what_was_written():
    emitted = tuple(hunk(0, 1, "def area(a, b):"))
    plain = dialect().ask(Request("x", (FILE,), emitted=emitted))
    steered = dialect().ask(Request("x", (FILE,), emitted=emitted, steer="no, line 42"))
    before = [*plain.ids, *plain.behind]
    assert plain.behind == emitted
    assert steered.ids[: len(before)] == before
    assert steered.ids[len(before)] == token_layout.STEER
    assert steered.ids[-1] == token_layout.OUT
    assert token_layout.tag(1) in steered.ids[len(before) :]
    text, _ = text_of(steered, hunk(1, 2, "pass"))
    assert text == "*** src/geometry/area.py\n@@ 42,43\n+pass\n\n"


def test_an_answer_is_looked_over_only_where_it_begins_and_only_with_calibrated_weights():
    assert dialect().ask(Request("x", (FILE,))).gate.gate.cannot == 0.4
    resumed = dialect().ask(Request("x", (FILE,), emitted=(token_layout.HUNK,)))
    assert resumed.gate.held_tokens == HELD_TOKENS
    assert (resumed.ids[-1], resumed.behind) == (token_layout.OUT, (token_layout.HUNK,))
    long = dialect().ask(Request("x", (FILE,), emitted=(token_layout.HUNK,) * (HELD_TOKENS + 1)))
    assert isinstance(long.gate, PassThrough), "only a loop ends it"
    assert (long.behind, long.ids[-1]) == ((), token_layout.HUNK)
    assert dialect().ask(Request("x", (FILE,), temperature=0.7)).gate is None


def test_a_request_may_ask_for_a_surer_edit_than_the_model_does():
    own = dialect().ask(Request("x", (FILE,))).gate.gate.refuse
    assert dialect().ask(Request("x", (FILE,), least_confidence=0.7)).gate.gate.refuse == 0.7 > own
    assert dialect().ask(Request("x", (FILE,), least_confidence=own / 2)).gate.gate.refuse == own
    assert SparkFormat(spark_tokenizer()).ask(Request("x", (FILE,))).gate is None


def test_hunks_from_before_a_steer_count_as_done():
    emitted = (*hunk(0, 1, "def area(a, b):"), *hunk(1, 2, "    return 1"))
    asked = dialect().ask(Request("x", (FILE,), emitted=emitted, steer="no, twice of it"))
    applied = asked.gate.check.applied([token_layout.WindowHunk(1, 2, ("    return 2",))])
    assert applied == ["def area(a, b):", "    return 2"]


def test_an_open_hunk_takes_nothing_from_the_whole_ones_before_a_steer():
    emitted = (*hunk(0, 1, "def area(a, b):"), *hunk(1, 2, "    return 1")[:-2])
    asked = dialect().ask(Request("x", (FILE,), emitted=emitted, steer="no, 2"))
    assert asked.gate.check.standing == (token_layout.WindowHunk(0, 1, ("def area(a, b):",)),)


@pytest.mark.parametrize(
    ("path", "refused"), [("a.py", False), ("a.rs", True), ("README.md", True), ("script", False)]
)
def test_a_file_of_another_language_is_beyond_the_model(path, refused):
    asked = dialect().ask(Request("x", (FilePart(path, FILE.text),)))
    state = asked.constraint.start(asked.ids)
    assert (asked.constraint.allowed(state) == ((token_layout.CANNOT, token_layout.CANNOT + 1),)) is refused


def test_what_an_edit_copies_is_found_from_its_line_tags():
    asked = dialect().ask(Request("x", (FILE,)))
    assert spark_tokenizer().decode(asked.copied_from) == FILE.text
    second = asked.copied_from[asked.anchors[token_layout.tag(1)] :]
    assert spark_tokenizer().decode(second) == "    return width * height\n"


def test_a_fill_reads_the_suffix_first():
    ids = dialect().ask(Request("", kind="fill", prefix="def f(", suffix=")\n    pass")).ids
    assert ids[0] == token_layout.SUF
    assert token_layout.MID not in ids
    assert ids.index(token_layout.PRE) > ids.index(token_layout.SUF)


def test_more_lines_than_the_window_takes_are_counted():
    with pytest.raises(Misfit, match="301 lines are shown, but the built-in model reads at most 300"):
        dialect().ask(Request("x", (FilePart("a.py", "x\n" * 301),)))


def test_an_edit_without_a_file_is_no_edit():
    with pytest.raises(Misfit, match="none was named"):
        dialect().ask(Request("x"))


def test_markers_in_a_file_stay_text():
    asked = dialect().ask(Request("x", (FilePart("a.py", "x = '<|out|> <|L3|>'\n"),)))
    assert asked.ids.count(token_layout.OUT) == 1
    assert token_layout.tag(3) not in asked.ids


def test_a_rejected_exchange_lists_its_hunks():
    answer = "*** a.py\n@@ 42,43\n+new\n+lines\n@@ 43,43\n"
    past = past_exchange(Exchange("do it", answer, "rejected"), FILE, 2)
    assert past == token_layout.PastExchange(
        "do it", False, (token_layout.WindowHunk(1, 2, ("new", "lines")), token_layout.WindowHunk(2, 2, ()))
    )
    assert past_exchange(Exchange("do it", answer, "accepted"), FILE, 2) == token_layout.PastExchange("do it")
    outside = past_exchange(Exchange("do it", "@@ 1,2\n+x\n", "rejected"), FILE, 2)
    assert outside.hunks == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\r\nb\rc\n\n", ("a", "b", "c", "")),
        ("a\x0bb\u2028c", ("a\x0bb\u2028c",)),
    ],
)
def test_only_line_endings_end_lines(text, lines):
    assert lines_of(text) == lines
