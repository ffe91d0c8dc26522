"""The local backend on tiny random models: order, resume without reading again, priorities, stops."""

from __future__ import annotations

import threading

import pytest
from support.event_streams import token_ids, token_text
from support.tiny_models import chat_backend, spark_backend

from spark_tui.backends.answers.attempt_gate import AttemptGate
from spark_tui.backends.base import Backend, FilePart, Request
from spark_tui.edits.parser import Parser
from spark_tui.engine.kernels.attention import PAGE
from spark_tui.engine.text import token_layout
from spark_tui.errors import Misfit, NoBackend, UsageError
from spark_tui.events import Doubt, HunkFailed, PrefillProgress, Token, Waited
from spark_tui.serve.batching.batch_engine import BatchEngine

TEXT = "".join(f"def function_{n}(width, height):\n    return width * {n} + height\n\n" for n in range(20))
FILE = FilePart("src/area.py", TEXT)


@pytest.fixture(scope="module")
def spark():
    backend = spark_backend()
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def chat():
    backend = chat_backend()
    yield backend
    backend.close()


def run(backend, stop=None, **request):
    request.setdefault("instruction", "rename width")
    if request.get("kind", "edit") != "fill":
        request.setdefault("files", (FILE,))
    request.setdefault("max_tokens", 60)
    return list(backend.stream(Request(**request), stop or threading.Event()))


def prefilled(events):
    progress = [event for event in events if isinstance(event, PrefillProgress)]
    return progress[-1].total - progress[-1].reused if progress else 0


def test_it_is_a_backend_that_says_what_it_writes(spark, chat):
    assert isinstance(spark, Backend)
    assert isinstance(chat, Backend)
    assert spark.format_for(Request("x")) == "lines"
    assert chat.format_for(Request("x")) == "search_replace"
    assert chat.format_for(Request("x", format="whole")) == "whole"
    with pytest.raises(UsageError, match="does not write the format 'udiff'"):
        spark.format_for(Request("x", format="udiff"))
    assert spark.window == 2048
    assert spark.count_tokens("a b\nc") >= 4


def test_reading_comes_before_writing_and_its_count_rises(spark):
    waited, *events = run(spark, instruction="something new")
    assert isinstance(waited, Waited)
    first = next(place for place, event in enumerate(events) if isinstance(event, Token))
    progress = events[:first]
    assert progress
    assert all(isinstance(event, PrefillProgress) for event in progress)
    assert [event.done for event in progress] == sorted({event.done for event in progress})
    assert progress[-1].done == progress[-1].total
    assert all(isinstance(event, (Token, Doubt)) for event in events[first:])


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_weights_say_the_answer_is_of_the_format(seed):
    backend = spark_backend(seed)
    lines = TEXT.splitlines()
    parser = Parser("lines", lambda path: lines)
    found = []
    for event in run(backend, max_tokens=300):
        if isinstance(event, Token):
            found += list(parser.feed(event.text))
    backend.close()
    assert not [event for event in found if isinstance(event, HunkFailed)]
    assert parser.hunks or parser.verdict or found


@pytest.mark.parametrize("name", ["spark", "chat"])
def test_a_resume_at_any_token_gives_the_same_text_and_reads_nothing_again(name, request):
    backend = request.getfixturevalue(name)
    whole = [event for event in run(backend, max_tokens=40) if isinstance(event, Token)]
    for cut in range(1, len(whole), 7):
        rest = run(backend, emitted=tuple(token_ids(whole[:cut])), max_tokens=40 - cut)
        assert token_ids(rest) == token_ids(whole[cut:])
        assert token_text(rest) == token_text(whole[cut:])
        assert prefilled(rest) <= 1


CHOSEN = (
    token_layout.HUNK,
    token_layout.tag(1),
    token_layout.tag(2),
    300,
    301,
    302,
    token_layout.END,
    token_layout.EOS,
)


def choosing(monkeypatch):
    """Whatever the first attempt was, this is what is offered."""
    chosen = [Token(token, "") for token in CHOSEN]
    monkeypatch.setattr(AttemptGate, "offer", lambda self, *rest: iter(chosen))


def test_a_resume_of_an_answer_that_was_held_continues_with_it(monkeypatch):
    choosing(monkeypatch)
    backend = spark_backend()
    assert token_ids(run(backend)) == list(CHOSEN)
    whole = token_text(run(backend))
    for cut in range(1, len(CHOSEN)):
        rest = run(backend, emitted=CHOSEN[:cut], max_tokens=40)
        assert token_ids(rest) == list(CHOSEN[cut:])
        assert whole.endswith(token_text(rest))
        assert prefilled(rest) <= 1
    backend.close()


def test_a_steer_of_an_answer_that_was_chosen_among_several_reads_only_itself(monkeypatch):
    backend = spark_backend()
    with monkeypatch.context() as patched:
        choosing(patched)
        run(backend)
    answered = backend.dialect.ask(Request("rename width", (FILE,), emitted=CHOSEN[:-1]))
    steered = backend.dialect.ask(Request("rename width", (FILE,), emitted=CHOSEN[:-1], steer="no"))
    spoken = len(steered.ids) - len(answered.ids) - len(answered.behind)
    assert 0 < prefilled(run(backend, emitted=CHOSEN, steer="no", max_tokens=1)) <= spoken + 1
    backend.close()


def test_what_was_offered_stands_where_another_answer_would_be_chosen_now(monkeypatch):
    backend = spark_backend()
    offered = (token_layout.HUNK, token_layout.tag(0), token_layout.tag(1), 310, 311)
    monkeypatch.setattr(AttemptGate, "offer", lambda self, attempt, stopped: attempt)
    plain = backend.dialect.ask(Request("rename width", (FILE,), emitted=offered))
    expected = [
        token.id for token in backend.engine.generate([*plain.ids, *offered], 12, constraint=plain.constraint)
    ]
    choosing(monkeypatch)
    assert token_ids(run(backend, instruction="rename width", emitted=offered, max_tokens=12)) == expected
    backend.close()


def test_a_resume_after_reading_ahead_in_another_file_reads_nothing_again(spark):
    written = token_ids(run(spark, max_tokens=30))
    other = FilePart("src/other.py", TEXT.replace("width", "breadth"))
    run(spark, kind="warm", files=(other,), instruction="")
    assert prefilled(run(spark, emitted=tuple(written), max_tokens=10)) <= 1


def test_a_warm_file_leaves_only_the_instruction_to_read(spark):
    file = FilePart("src/warm.py", TEXT.replace("height", "depth"))
    warmed = run(spark, kind="warm", files=(file,), instruction="")
    assert token_ids(warmed) == []
    assert prefilled(warmed) > 300
    assert prefilled(run(spark, kind="warm", files=(file,), instruction="")) == 0
    assert prefilled(run(spark, files=(file,), instruction="add a docstring", max_tokens=1)) < 40


def test_a_stop_ends_the_stream_and_the_next_goes_on_from_there(spark):
    whole = token_ids(run(spark, max_tokens=50))
    stop, seen = threading.Event(), []
    for event in spark.stream(Request("rename width", (FILE,), max_tokens=50), stop):
        if isinstance(event, Token):
            seen.append(event.id)
            stop.set()
    assert seen == whole[: len(seen)]
    rest = run(spark, emitted=tuple(seen), max_tokens=50 - len(seen))
    assert seen + token_ids(rest) == whole


def test_a_stop_that_is_set_already_gives_nothing(spark):
    stop = threading.Event()
    stop.set()
    assert run(spark, stop) == []


def test_an_edit_goes_before_what_is_read_ahead_and_a_fill_goes_on_unchanged():
    backend = spark_backend(seed=3)
    request = Request("", kind="fill", prefix="def area(", suffix="\n    return 1\n", max_tokens=120)
    alone = token_ids(backend.stream(request, threading.Event()))
    backend.caches.close()
    begun, order = threading.Event(), []

    def fill():
        for event in backend.stream(request, threading.Event()):
            if isinstance(event, Token):
                order.append(("fill", event.id))
                begun.set()

    asker = threading.Thread(target=fill)
    asker.start()
    assert begun.wait(60)
    edit = run(backend, max_tokens=20)
    order.append(("edited", len(token_ids(edit))))
    asker.join(60)
    backend.close()
    assert [token for kind, token in order if kind == "fill"] == alone


def test_the_gate_turns_down_what_is_probably_beyond_the_model():
    for above, expected in ((0.0, True), (1.0, False)):
        backend = spark_backend(settings={"gate": {"cannot": above, "doubt": 1.1}})
        events = run(backend, max_tokens=8)
        assert (token_ids(events)[0] == token_layout.CANNOT) is expected
        assert ("@@ cannot" in token_text(events)) is expected
        backend.close()


def test_every_hunk_below_the_threshold_is_marked_once():
    backend = spark_backend(seed=1, settings={"gate": {"cannot": 1.0, "doubt": 1.1}})
    events = run(backend, max_tokens=400)
    backend.close()
    closed = sum(token == token_layout.END for token in token_ids(events))
    assert [event.hunk_id for event in events if isinstance(event, Doubt)] == list(range(1, closed + 1))


def test_text_is_whole_and_stops_before_a_stop_text(chat):
    whole = token_text(run(chat, max_tokens=80, kind="raw", prefix="def "))
    cut = whole[10:14]
    stopped = token_text(run(chat, max_tokens=80, kind="raw", prefix="def ", stop_texts=(cut,)))
    assert stopped == whole[: whole.index(cut)]


def test_sampling_depends_on_its_seed_and_survives_a_resume(chat):
    def sampled(seed, **more):
        return token_ids(run(chat, temperature=1.0, seed=seed, **{"max_tokens": 30, **more}))

    first = sampled(1)
    assert first == sampled(1)
    assert first != sampled(2)
    assert first[:10] + sampled(1, emitted=tuple(first[:10]), max_tokens=20) == first


def test_a_prompt_that_does_not_fit_is_counted(chat):
    with pytest.raises(Misfit, match="does not fit the window of 2048"):
        run(chat, files=(FilePart("a.py", "word " * 3000),))


def test_what_the_cache_has_no_room_for_is_said_before_anything_is_read():
    backend = chat_backend(cache_bytes=16 * 2 * 4 * 2 * 16 * PAGE)  # 16 pages, one of them to copy into
    assert (backend.window, backend.bound) == (15 * PAGE, "engine.cache_mb; the model takes 2048")
    seen = []
    with pytest.raises(Misfit, match=f"does not fit the cache of {15 * PAGE} tokens"):
        seen.extend(backend.stream(Request("", prefix="a" * 1200, kind="raw"), threading.Event()))
    assert not any(isinstance(event, PrefillProgress) for event in seen)
    request = Request("", prefix="a" * (15 * PAGE - 20), kind="raw", max_tokens=100, temperature=2.0, seed=3)
    tokens = [event for event in backend.stream(request, threading.Event()) if isinstance(event, Token)]
    assert len(tokens) <= 20
    assert chat_backend().bound == ""
    backend.close()


def test_a_model_without_a_tokenizer_is_refused():
    from spark_tui.backends.local.backend import LocalBackend
    from spark_tui.engine import Engine
    from spark_tui.engine.model_sizes import random_weights

    shape = chat_backend().engine.arch
    with pytest.raises(NoBackend, match="without a tokenizer"):
        LocalBackend(Engine(shape, random_weights(shape)))


def test_every_pass_is_reported():
    steps = []
    backend = chat_backend()
    backend.on_step = steps.append
    events = run(backend, max_tokens=10)
    backend.close()
    assert {step.kind for step in steps} == {"prefill", "decode"}
    assert sum(step.rows for step in steps if step.kind == "prefill") == prefilled(events)


def test_closing_twice_is_safe_and_ends_it():
    backend = chat_backend()
    run(backend, max_tokens=2)
    backend.close()
    backend.close()
    with pytest.raises(NoBackend, match="closed"):
        run(backend)


def test_what_was_read_outlives_the_process(tmp_path):
    def first_read():
        backend = spark_backend()
        backend.engine.rest_in(tmp_path)
        count = prefilled(run(backend, max_tokens=1))
        backend.close()
        return count

    cold = first_read()
    assert cold > 300
    assert first_read() < cold / 2


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("seed", [2, 7])
def test_a_loop_ends_a_long_answer_also_where_it_is_continued(seed, shared):
    backend = spark_backend(seed)
    if shared:
        backend = BatchEngine(backend)
    file = FilePart("a.py", "def area(w, h):\n    return w * h\n", 1, 2)
    asked = {"files": (file,), "instruction": "make it better somehow"}
    whole = token_ids(run(backend, max_tokens=700, **asked))
    assert 135 < len(whole) < 700, "it goes in circles, and was ended"
    for cut in (130, (130 + len(whole)) // 2, len(whole) - 3):
        rest = token_ids(run(backend, emitted=tuple(whole[:cut]), max_tokens=700 - cut, **asked))
        assert whole[:cut] + rest == whole
    backend.close()
