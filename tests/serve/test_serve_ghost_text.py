"""Ghost text and predictions on the server: the middle is filled, and what is predicted is drafted."""

import threading
from dataclasses import replace

import pytest
from support.http_client import asked
from support.serving import serving
from support.tiny_models import chat_backend, spark_backend

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.ghost_text import fill
from spark_tui.backends.local.backend import draft_source
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.engine.text import token_layout
from spark_tui.events import Token
from spark_tui.serve.batching.batch_engine import BatchEngine

BEFORE, BEHIND = "def area(width, height):\n    return ", "\n\n\ndef other(width):\n    return width\n"
FILE = FilePart("a.py", "".join(f"def part_{n}(width):\n    return width * {n}\n\n" for n in range(8)), 1, 24)


def tokens(backend, request):
    return [event for event in backend.stream(request, threading.Event()) if isinstance(event, Token)]


def text(said):
    return "".join(token.text for token in said)


def writing_spark():
    """Random weights that fill in something."""
    return spark_backend(25)


@pytest.fixture(params=[writing_spark, chat_backend], ids=["spark", "chat"])
def open_backend(request):
    return request.param


def test_a_suffix_is_filled_as_the_engine_fills_it(open_backend):
    near = open_backend()
    wanted = text(tokens(near, Request("", kind="fill", prefix=BEFORE, suffix=BEHIND, max_tokens=12)))
    near.close()
    engine = BatchEngine(open_backend())
    asks = []
    original = engine._local.dialect.ask
    engine._local.dialect.ask = lambda request: asks.append(original(request)) or asks[-1]
    with serving(engine) as live:
        _, body = asked(live, "/v1/completions", prompt=BEFORE, suffix=BEHIND, max_tokens=12)
        assert body["choices"][0]["text"] == wanted != ""
        _, alone = asked(live, "/v1/completions", prompt=BEFORE, max_tokens=12)
    engine.close()
    if open_backend is writing_spark:
        # What stands after is read first, then what stands before, and that is gone on with.
        ids = asks[0].ids
        assert (ids[0], ids.count(token_layout.PRE), ids.count(token_layout.MID)) == (token_layout.SUF, 1, 0)
        assert asks[1].ids[0] == token_layout.CODE
    assert alone["choices"][0]["text"] == text(tokens_of_raw(open_backend))


def tokens_of_raw(open_backend):
    near = open_backend()
    try:
        return tokens(near, Request("", kind="raw", prefix=BEFORE, max_tokens=12))
    finally:
        near.close()


def test_a_far_model_says_how_likely_a_line_is_and_from_when_it_is_worth_showing():
    near = spark_backend(settings={"gate": {"fill": 0.25}, "max_window_lines": 300})
    wanted = fill(near, BEFORE, BEHIND, threading.Event())
    near.close()
    engine = BatchEngine(spark_backend(settings={"gate": {"fill": 0.25}, "max_window_lines": 300}))
    with serving(engine) as live:
        remote = RemoteBackend(live.url, key="")
        remote.warm_up()
        assert remote.fills_from == engine.fills_from == 0.25
        far = fill(remote, BEFORE, BEHIND, threading.Event())
        assert far.text == wanted.text
        assert far.confidence == pytest.approx(wanted.confidence, rel=1e-3)
        assert 0 < far.confidence < 1
        remote.close()
    engine.close()


KINDS = {
    "edit": {"files": (FILE,), "instruction": "double it"},
    "raw": {"prefix": BEFORE, "instruction": ""},
    "fill": {"prefix": BEFORE, "suffix": BEHIND, "instruction": ""},
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_prediction_changes_what_is_said_and_a_right_one_is_drafted(open_backend, kind):
    engine = BatchEngine(open_backend())
    try:
        plain = tokens(engine, Request(kind=kind, max_tokens=40, **KINDS[kind]))
        wrong = Request(
            kind=kind, max_tokens=40, prediction="nothing of this is ever said\n" * 3, **KINDS[kind]
        )
        right = replace(wrong, prediction=text(plain))
        for request in (wrong, right):
            assert [token.id for token in tokens(engine, request)] == [token.id for token in plain]
        if open_backend is chat_backend:
            # Its text is read again as the same ids; random ids of the other are not.
            assert sum(t.drafted for t in tokens(engine, right)) > sum(t.drafted for t in plain)
    finally:
        engine.close()


def accepted(asked, truth):
    """How many tokens of the truth are drafted for a model that writes it."""
    drafter, hits, at = draft_source(asked), 0, 0
    if drafter is None:
        return 0
    drafter.begin(asked.ids)
    while at < len(truth):
        proposed = drafter.propose(len(truth) - at - 1)
        right = next(
            (n for n, (a, b) in enumerate(zip(proposed, truth[at:], strict=False)) if a != b), len(proposed)
        )
        drafter.extend(truth[at : at + right + 1], len(proposed), right)
        hits, at = hits + right, at + right + 1
    return hits


def test_the_new_file_that_a_client_predicts_is_drafted_after_the_lines_that_a_hunk_names():
    near = spark_backend()
    new = "    if width < 0:\n        raise ValueError(width)\n    return width * 4\n"
    after = FILE.text.replace("    return width * 4\n", new)
    truth = [
        token_layout.HUNK,
        token_layout.tag(13),
        token_layout.tag(14),
        *near.dialect.encode_lines(new),
        token_layout.END,
    ]
    request = Request("refuse negative widths in part_4", files=(FILE,))
    without = accepted(near.dialect.ask(request), truth)
    within = accepted(near.dialect.ask(replace(request, prediction=after)), truth)
    assert within >= without + len(near.dialect.encode_lines(new)) // 2
    near.close()


@pytest.mark.parametrize("kind", ["raw", "fill"])
def test_predicted_text_is_drafted_from_its_beginning(kind):
    near = spark_backend()
    request = Request(kind=kind, prediction="width * height\nif width:\n    pass\n", **KINDS[kind])
    truth = near.dialect.encode_lines(request.prediction)
    assert accepted(near.dialect.ask(request), truth) > len(truth) // 2
    assert accepted(near.dialect.ask(replace(request, prediction="")), truth) == 0
    near.close()
