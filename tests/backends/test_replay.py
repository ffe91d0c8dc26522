"""Recordings are checked when they are read and played as they were."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.backends import recording
from spark_tui.backends.base import Backend, Request
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.backends.replay import ReplayBackend, parse_pace
from spark_tui.config import paths
from spark_tui.errors import ConfigError, MalformedInput, NoBackend


def recording_of(text="abcdef", step=0.0, **kwargs):
    pieces = tuple(TimedText(i * step, ch) for i, ch in enumerate(text))
    return Recording(kwargs.pop("name", "r"), kwargs.pop("instruction", "do it"), "lines", pieces, **kwargs)


def play(backend, stop=None, **request):
    request.setdefault("instruction", "do it")
    return list(backend.stream(Request(**request), stop or threading.Event()))


def test_it_is_a_backend():
    assert isinstance(ReplayBackend([recording_of()]), Backend)


def test_the_text_comes_out_whole_and_in_order():
    tokens = play(ReplayBackend([recording_of()], pace=0.0))
    assert "".join(token.text for token in tokens) == "abcdef"
    assert [token.id for token in tokens] == list(range(6))


def test_a_set_stop_flag_is_honoured_within_one_token():
    stop, backend = threading.Event(), ReplayBackend([recording_of()], pace=0.0)
    stream = backend.stream(Request("do it"), stop)
    next(stream)
    stop.set()
    assert list(stream) == []


def test_a_stop_during_a_long_wait_does_not_wait_it_out():
    slow = Recording("r", "do it", "lines", (TimedText(0.0, "a"), TimedText(3600.0, "b")))
    stop = threading.Event()
    events = ReplayBackend([slow]).stream(Request("do it"), stop)
    next(events)
    threading.Timer(0.05, stop.set).start()
    assert list(events) == []


def test_recorded_times_and_given_rates_are_kept():
    started = time.monotonic()
    play(ReplayBackend([recording_of("abc", step=0.02)]))
    assert time.monotonic() - started >= 0.04
    started = time.monotonic()
    play(ReplayBackend([recording_of("abc", step=3600.0)], pace=100.0))
    assert time.monotonic() - started >= 0.02


def test_resume_continues_after_what_was_emitted():
    backend = ReplayBackend([recording_of("abcdef", step=0.001)])
    assert "".join(t.text for t in play(backend, emitted=(0, 1))) == "cdef"


def test_the_nearest_instruction_answers_and_a_strange_one_is_an_error():
    backend = ReplayBackend(
        [
            recording_of("A", instruction="guard against empty carts"),
            recording_of("B", instruction="rename total to subtotal"),
        ],
        0.0,
    )
    assert play(backend, instruction="Guard against an empty carts")[0].text == "A"
    assert (
        play(backend, instruction="guard against empty carts", steer="rename total to subtotal")[0].text
        == "B"
    )
    with pytest.raises(NoBackend, match="no recording matches this prompt") as caught:
        play(backend, instruction="write a poem")
    assert "rename total" in caught.value.hint


@given(
    st.lists(st.text(max_size=5), max_size=8),
    st.lists(st.floats(0, 50), min_size=8, max_size=8),
    st.text(max_size=20),
)
def test_what_was_dumped_loads_to_the_same_recording(tmp_path_factory, texts, times, note):
    times = sorted(round(t, 6) for t in times)
    original = Recording("n", "i", "udiff", tuple(map(TimedText, times, texts)), "a/b.py", note)
    path = tmp_path_factory.mktemp("r") / "r.jsonl"
    path.write_text(recording.dump(original), encoding="utf-8")
    assert recording.load(path) == original


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("", "", "is empty"),
        ("{}\n", ":1", "not a spark recording"),
        ('{"spark_recording": 2, "instruction": "i", "format": "lines"}\n', ":1", "version 1"),
        ('{"spark_recording": 1, "format": "lines"}\n', ":1", "'instruction'"),
        ('{"spark_recording": 1, "instruction": "i", "format": "word"}\n', ":1", "unknown edit format"),
        ('{"spark_recording": 1, "instruction": "i", "format": "lines"}\n{"t": 1}\n', ":2", "needs a number"),
        ('{"spark_recording": 1, "instruction": "i", "format": "lines"}\n[1]\n', ":2", "not a JSON object"),
        ('{"spark_recording": 1, "instruction": "i", "format": "lines"}\n{"t": 1, "te', ":2", "is not JSON"),
        (
            (
                '{"spark_recording": 1, "instruction": "i", "format":'
                ' "lines"}\n{"t":2,"text":""}\n{"t":1,"text":""}'
            ),
            ":3",
            "out of order",
        ),
    ],
)
def test_a_bad_recording_names_its_line(tmp_path, body, line, said):
    path = tmp_path / "bad.jsonl"
    path.write_text(body)
    with pytest.raises(MalformedInput, match=said) as caught:
        recording.load(path)
    assert caught.value.where == f"{path}{line}"


def test_missing_and_empty_folders_are_errors(tmp_path):
    with pytest.raises(MalformedInput, match="no such recording"):
        recording.load_all(tmp_path / "none")
    with pytest.raises(MalformedInput, match="holds no recording"):
        recording.load_all(tmp_path)


@pytest.mark.parametrize(("text", "pace"), [("recorded", None), ("unlimited", 0.0), ("800", 800.0)])
def test_paces(text, pace):
    assert parse_pace(text) == pace


@pytest.mark.parametrize("text", ["fast", "-1", "0", "nan", "1e9"])
def test_bad_paces_are_refused(text):
    with pytest.raises(ConfigError):
        parse_pace(text)


def test_the_recordings_that_the_package_carries_can_all_be_read():
    assert len(recording.load_all(paths.recordings_dir())) >= 5
