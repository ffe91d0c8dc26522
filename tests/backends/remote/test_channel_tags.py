"""A gpt-oss model whose server left the tags of its channels in the text, in every protocol."""

import pytest
from support.event_streams import token_text
from support.scripted_model import Answer
from test_protocols import READ, asked, calls, every_api, of

from spark_tui.events import Reasoning

THOUGHT = "<|channel|>analysis<|message|>Is a <| b?<|end|>"
FINAL = "<|start|>assistant<|channel|>final<|message|>"
CALL = (
    "<|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json"
    '<|message|>{"path": "a.py"}<|call|>'
)


def read(text, cut=1000, api="chat", tools=(READ,)):
    pieces = [text[at : at + cut] for at in range(0, len(text), cut)]
    events, _ = asked(api, Answer(*pieces), tools=tools)
    thought = "".join(event.text for event in of(Reasoning, events))
    return thought, token_text(events), [call[:2] for call in calls(events)]


@every_api
def test_the_final_channel_is_the_answer_and_the_analysis_is_reasoning(api):
    assert read(f"{THOUGHT}{FINAL}a.py\n<|return|>", api=api) == ("Is a <| b?", "a.py\n", [])


@pytest.mark.parametrize("cut", [1, 2, 5, 11])
@pytest.mark.parametrize("head", ["", "\n", "<|start|>assistant"])
def test_they_are_divided_however_they_are_cut(head, cut):
    text = f"{head}{THOUGHT}{CALL}{THOUGHT}{FINAL}x < y <"
    assert read(text, cut) == ("Is a <| b?" * 2, "x < y <", [("functions.read_file", '{"path": "a.py"}')])


def test_a_call_in_the_head_of_the_role_is_one_and_none_where_no_tool_was_offered():
    text = '<|start|>assistant to=read_file<|channel|>commentary json<|message|>{"path": "b"}<|call|>'
    assert read(text) == ("", "", [("read_file", '{"path": "b"}')])
    assert read(f"{text}{FINAL}x", tools=()) == ("", "x", [])


def test_two_messages_for_the_person_are_apart_and_what_has_no_channel_is_for_them():
    text = f"<|channel|>commentary<|message|>I look.<|end|>{FINAL}a.py\n<|end|>\nDone."
    assert read(text)[:2] == ("", "I look.\na.py\n\nDone.")


@pytest.mark.parametrize("text", ["<|chan", "<|channels|> x", "It writes <|channel|>final<|message|>x."])
def test_text_that_only_looks_like_a_channel_stays(text):
    assert read(text)[:2] == ("", text)
