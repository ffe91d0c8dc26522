"""A question is spoken, and the next line that is an answer answers it."""

import threading

import pytest

from spark_tui.tools.permission import PermissionRequest
from spark_tui.tui.screen_reader.questions import SpokenQuestions


@pytest.mark.parametrize(("line", "answer"), [("yes", "once"), ("Always", "always"), ("no", "no")])
def test_a_line_answers(line, answer):
    said, out = [], []
    questions = SpokenQuestions(said.append)
    stop = threading.Event()
    turn = threading.Thread(target=lambda: out.append(questions(PermissionRequest("Run", "ls"), stop)))
    assert not questions.hear(line)
    turn.start()
    while not said:
        pass
    assert not questions.hear("make it 5")
    assert questions.hear(line)
    turn.join(60)
    assert out == [answer]
    assert said == ["Run:\nls\nSay yes, no, or always (in this session)."]
    assert not questions.hear(line)


def test_a_stop_is_a_no():
    stop = threading.Event()
    stop.set()
    assert SpokenQuestions(lambda _text: None)(PermissionRequest("Run", "ls"), stop) == "no"
