"""Reasoning that a server leaves in the text is told from the answer, also where no tag opens it."""

import json
import threading

import pytest
from support.event_streams import token_text
from support.scripted_model import Answer, Call, Raw, ScriptedModel
from test_protocols import READ, calls, of

from spark_tui.backends.base import Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.backends.remote.thinking_tags import TAGS
from spark_tui.errors import NoBackend
from spark_tui.events import Reasoning

THOUGHT = "hm:\n```\nx = 1\n```\nso\n"
CODE = 'code:\n```\nEND = "</think>"\n```\n'


def told_apart(*answers, model="m", tools=()):
    """Text and reasoning of each answer, and the events of the last one."""
    with ScriptedModel(*answers, models=(model,)) as server:
        backend = RemoteBackend(server.url, model, key="", api="chat", retries=RetryLimits(1))
        out = []
        for _ in answers:
            events = list(backend.stream(Request("do it", tools=tools), threading.Event()))
            out.append((token_text(events), "".join(event.text for event in of(Reasoning, events))))
        backend.close()
        return out, events


def pieces(text, size):
    return Answer(*(text[at : at + size] for at in range(0, len(text), size)))


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("opening", TAGS)
def test_every_pair_of_tags_is_known_however_it_is_cut(opening, size):
    text = f"\n{opening}{THOUGHT}{TAGS[opening]}\n\nDone: {CODE}"
    assert told_apart(pieces(text, size))[0] == [(f"Done: {CODE}", THOUGHT)]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("model", ["Qwen/Qwen3-4B-Thinking-2507", "deepseek-r1:8b", "QwQ-32B"])
def test_a_model_whose_prompt_opens_its_reasoning_is_known_by_its_name(model, size):
    text = f"{THOUGHT}</think>\n\nDone: {CODE}"
    assert told_apart(pieces(text, size), model=model)[0] == [(f"Done: {CODE}", THOUGHT)]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "text", [f"shop/a.py\n{CODE[6:]}", CODE[6:], "*** Begin Patch\n*** Add File: a.py\n"]
)
def test_an_edit_is_no_reasoning_also_where_it_is_cut_off(text, size):
    """A name that ends with `-r1` may as well be that of a first version."""
    cut = pieces(text, size)
    cut.reason = "length"
    assert told_apart(cut, model="acme-coder-r1")[0] == [(text, "")]


def test_an_answer_shows_what_the_next_ones_of_its_model_begin_with():
    text = f"{THOUGHT}</think>\n\nDone"
    first, second = told_apart(Answer(text), Answer(text))[0]
    assert first == (text, "")
    assert second == ("Done", THOUGHT)


def test_a_tag_in_code_shows_nothing():
    assert told_apart(Answer(CODE), Answer(CODE))[0] == [(CODE, ""), (CODE, "")]


def test_a_tag_in_a_sentence_shows_nothing():
    said = "The reader stops at </think> now."
    assert told_apart(Answer(said), Answer("Done"))[0] == [(said, ""), ("Done", "")]


def test_text_without_a_tag_is_the_answer_and_the_next_one_is_not_held():
    first, second = told_apart(Answer("Done: ", CODE), Answer("Done: ", CODE), model="qwq")[0]
    assert first == (f"Done: {CODE}", f"Done: {CODE}")
    assert second == (f"Done: {CODE}", "")


def test_text_after_reasoning_that_the_server_tells_apart_is_the_answer():
    row = {"choices": [{"index": 0, "delta": {"reasoning_content": "hm"}}]}
    first = Answer(Raw(f"data: {json.dumps(row)}\n\n".encode()), "Done")
    assert told_apart(first, model="qwq")[0] == [("Done", "hm")]


def test_reasoning_before_a_call_whose_server_took_the_tag_is_no_edit():
    (said,), events = told_apart(Answer(THOUGHT, Call("read_file")), model="qwq", tools=(READ,))
    assert said == ("", THOUGHT)
    assert calls(events) == [("read_file", "{}", True)]


def test_reasoning_that_the_limit_cut_off_is_no_answer():
    whole = Answer(f"{THOUGHT}</think>Done")
    said, _ = told_apart(Answer("hm", reason="length"), whole, model="qwq")
    assert said[0] == ("Done", f"hm{THOUGHT}")


@pytest.mark.parametrize("size", [1, 1000])
def test_an_edit_behind_a_tag_that_nothing_closes_is_read(size):
    """Without an edit, or cut off, it is reasoning."""
    text = "<think>Line 1.\n\nshop/a.py\n```\nx = 1\n```\n"
    assert told_apart(pieces(text, size))[0][0][0] == text[7:]
    cut = pieces(text, size)
    cut.reason = "length"
    for answer in (cut, pieces("<think>Nothing to do.\n", size)):
        with pytest.raises(NoBackend, match=r"for reasoning|still thinking"):
            told_apart(answer)
