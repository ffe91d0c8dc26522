"""Two orders in one instruction: asked one by one, offered as one answer, and only where that is better."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import partial

import pytest
from support.hunk_answers import NEWLINE, answer, enc, tokens
from support.spark_tokenizer import spark_tokenizer
from support.stages import context, stage_names, stage_of
from support.tiny_models import spark_backend

from spark_tui.backends.answers import compound_request
from spark_tui.backends.answers.answer_check import AnswerCheck
from spark_tui.backends.answers.compound_request import CompoundRequest, minimal_hunks
from spark_tui.backends.answers.gated_sampler import ConfidenceGate
from spark_tui.backends.answers.instruction_splitter import BARE, LOOSE, PLAIN, InstructionSplit
from spark_tui.backends.answers.marks import ConfidenceMark
from spark_tui.backends.answers.pipeline import HELD_TOKENS, STOPPED, Answer, AnswerPipeline, Judgement
from spark_tui.backends.answers.reranker import Reranker
from spark_tui.backends.base import FilePart, Request, Splice
from spark_tui.backends.local.prompt_format import EncodedRequest, TextReader
from spark_tui.engine import token_layout
from spark_tui.engine.constraints import ForcedText
from spark_tui.engine.token_layout import WindowHunk

LINES = (
    "def area(width, height):",
    "    print(width)",
    "    return width * height",
    "",
    "def side(area):",
    "    return area",
)
FIRST, SECOND = (1, 2), (2, 3, "    return height * width")
BOTH = (FIRST, SECOND)


NO_EDIT = [token_layout.NOEDIT, token_layout.EOS]


@dataclass
class Chosen:
    """A first stage that gives an answer which was chosen already."""

    takes = "attempt"
    ids: list
    sure: float

    def apply(self, answer, context):
        list(answer.tokens)
        if context.stopped():
            return STOPPED
        confidence = self.sure if self.ids[0] == token_layout.HUNK else None
        return Answer(tokens(self.ids), "whole", confidence, Judgement(self.sure, "", 0.1, 0.2, 1))


def prompt_of(lines=LINES):
    return token_layout.encode_prompt(enc, token_layout.EncodedPrompt("a.py", lines, "do it"))


def check_of(lines=LINES):
    return AnswerCheck(tuple(lines), "do it", spark_tokenizer().decode, NEWLINE)


@pytest.fixture(scope="module")
def engine():
    backend = spark_backend()
    yield backend.engine
    backend.close()


class Model:
    """Says what it was told to say to each order, and of which text."""

    def __init__(self, **answers):
        self.answers, self.asked = answers, []

    def __call__(self, words, text):
        self.asked.append((words, text))
        said = self.answers[words if text is None else words + "_then"]
        prompt = prompt_of(LINES if text is None else text)
        reader, constraint = TextReader(spark_tokenizer()), ForcedText((token_layout.EOS,))
        return EncodedRequest(
            prompt, reader, constraint=constraint, pipeline=AnswerPipeline((Chosen(*said),))
        )


def offered(engine, whole, model, *, plain=PLAIN, parts=("first", "second"), stopped=lambda: False, **more):
    """The hunks that are offered and how sure they are, the ids where there are none."""
    found = []
    reader = TextReader(spark_tokenizer())
    compound = CompoundRequest(check_of(), [InstructionSplit(parts, plain)], model, enc, **more)
    pipeline = AnswerPipeline((Chosen(*whole), compound, ConfidenceMark(reader, found.append)))
    cache = engine.new_cache()
    engine.warm(prompt_of(), cache)
    try:
        ids = [token.id for token in pipeline.offer(iter(()), context(engine, cache, stopped))]
    finally:
        cache.close()
    if found and ids[0] == token_layout.HUNK:
        assert reader.judged == found[-1].sure
    return ids, found[-1] if found else None


def test_what_the_parts_say_is_offered_together_where_the_whole_leaves_one_undone(engine):
    model = Model(first=(answer(SECOND), 0.9), second=(answer(FIRST), 0.8))
    ids, found = offered(engine, (answer(FIRST), 0.6), model)
    assert ids == answer(FIRST, SECOND)
    assert model.asked == [("first", None), ("second", None)]
    assert 0 < found.sure < 0.9 * 0.8
    assert found.ways == 3


def test_parts_that_touch_are_done_one_behind_the_other(engine):
    longer = (2, 3, "    area = height * width", "    return area")
    model = Model(
        first=(answer(SECOND), 0.9),
        second=(answer((2, 3, "    return 2 * width * height")), 0.9),
        second_then=(answer(longer), 0.9),
    )
    ids, _ = offered(engine, (answer(SECOND), 0.6), model)
    assert ids == answer(longer)
    assert model.asked[-1] == ("second", (*LINES[:2], SECOND[2], *LINES[3:]))


def test_a_part_that_means_what_the_first_makes_is_asked_of_the_text_with_the_first_done(engine):
    model = Model(
        first=(answer(FIRST), 0.9), second=(NO_EDIT, 0.9), second_then=(answer((3, 4, "def side():")), 0.9)
    )
    assert offered(engine, (NO_EDIT, 0.9), model)[0] == answer(FIRST, (4, 5, "def side():"))


@pytest.mark.parametrize("more", [{"steps": False}, {"parts": ("first", "second in line 3")}])
def test_places_that_were_counted_in_the_shown_file_are_not_looked_for_in_another(engine, more):
    said = {
        "first": (answer(SECOND), 0.9),
        "second": (answer(SECOND), 0.9),
        "second in line 3": (answer(SECOND), 0.9),
    }
    model = Model(**said)
    assert offered(engine, (answer(SECOND), 0.6), model, **more)[0] == answer(SECOND)
    assert {text for _, text in model.asked} == {None}


@pytest.mark.parametrize(
    ("parts", "plain", "right"),
    [
        (0.9, LOOSE, BOTH),
        (0.05, LOOSE, (SECOND, FIRST[:0])),
        (0.05, PLAIN, BOTH),
        (1e-5, PLAIN, (SECOND, FIRST[:0])),
    ],
)
def test_the_likelier_answer_is_offered_the_more_readily_in_parts_the_plainer_there_are_two(
    engine, parts, plain, right
):
    model = Model(first=(answer(FIRST), parts), second=(answer(SECOND), parts))
    assert offered(engine, (answer(SECOND), 0.8), model, plain=plain)[0] == answer(*filter(None, right))


def test_an_answer_that_does_something_about_every_part_has_to_be_much_less_likely(engine):
    other = (2, 3, "    return 3")
    model = Model(first=(answer(FIRST), 0.3), second=(answer(SECOND), 0.3))
    assert offered(engine, (answer(FIRST, other), 0.2), model, plain=LOOSE)[0] == answer(FIRST, other)
    assert offered(engine, (answer(other), 0.2), model, plain=LOOSE)[0] == answer(*BOTH)


def test_where_a_part_cannot_be_done_the_whole_is_offered_and_is_not_called_sure(engine):
    told = {
        "drop the print": (answer(FIRST), 0.9),
        "sort the rows": (NO_EDIT, 0.9),
        "it is ugly": (NO_EDIT, 0.9),
    }
    model = Model(**told, **{f"{words}_then": (NO_EDIT, 0.9) for words in told})
    orders, aside = ("drop the print", "sort the rows"), ("drop the print", "it is ugly")
    for parts, plain, sure in (
        (orders, PLAIN, 0.6 * math.exp(compound_request.UNDONE)),
        (orders, LOOSE, 0.6),
        (aside, PLAIN, 0.6),
    ):
        ids, found = offered(engine, (answer(FIRST), 0.6), model, parts=parts, plain=plain)
        assert ids == answer(FIRST)
        assert found.sure == pytest.approx(sure)


def test_where_nothing_else_can_be_offered_the_one_part_that_can_be_done_is_offered_as_unsure(engine):
    model = Model(first=(NO_EDIT, 0.9), second=(answer(SECOND), 0.9))
    ids, found = offered(engine, (NO_EDIT, 0.9), model)
    assert ids == answer(SECOND)
    assert found.sure < 0.05
    assert offered(engine, (NO_EDIT, 0.9), model, plain=LOOSE)[0] == NO_EDIT
    model.answers["second"] = (answer(SECOND), 0.1)
    assert offered(engine, (NO_EDIT, 0.9), model)[0] == NO_EDIT


def test_no_unlikely_parts_take_the_place_of_no_answer(engine):
    for sure, right in ((0.3, answer(*BOTH)), (0.05, NO_EDIT)):
        model = Model(first=(answer(FIRST), sure), second=(answer(SECOND), sure))
        assert offered(engine, (NO_EDIT, 0.9), model, plain=LOOSE)[0] == right


def test_what_does_not_hold_together_is_not_offered(engine):
    model = Model(first=(answer((0, 1, "def area(width")), 0.9), second=(answer(FIRST, SECOND), 0.9))
    assert offered(engine, (answer(SECOND), 0.1), model)[0] == answer(SECOND)


def test_two_names_are_doubted_to_be_one_order_only_where_the_whole_is_unsure(engine):
    model = Model(first=(answer(FIRST), 0.9), second=(answer(SECOND), 0.9))
    assert offered(engine, (answer(SECOND), 0.4), model, plain=BARE)[0] == answer(SECOND)
    assert offered(engine, (NO_EDIT, 0.4), model, plain=BARE)[0] == NO_EDIT
    assert model.asked == []
    assert offered(engine, (answer(SECOND), 0.01), model, plain=BARE)[0] == answer(*BOTH)


def test_a_stop_while_the_parts_are_asked_gives_out_nothing_and_keeps_no_page(engine):
    free = engine.pool.holders.copy()
    model = Model(first=(answer(FIRST), 0.9), second=(answer(SECOND), 0.9))
    for most in range(1, 12):
        stopped = partial(lambda passes, most: next(passes) > most, itertools.count(), most)
        ids, found = offered(engine, (answer(SECOND), 0.4), model, stopped=stopped)
        assert ids in ([], answer(*BOTH))
        assert (found is None) is (ids == [])
    engine.pool.check_integrity()
    assert (engine.pool.holders == free).all()


def test_a_part_that_was_interrupted_is_asked_again_when_the_answer_resumes(engine):
    model = Model(first=(answer(FIRST), 0.9), second=(answer(SECOND), 0.9))
    compound = CompoundRequest(check_of(), [InstructionSplit(("first", "second"), PLAIN)], model, enc)
    pipeline = AnswerPipeline((Chosen(answer(SECOND), 0.4), compound))
    cache = engine.new_cache()
    engine.warm(prompt_of(), cache)
    for most in (3, 5, 1000):
        passes = itertools.count()
        stopped = lambda: next(passes) > most  # noqa: B023, E731
        ids = [token.id for token in pipeline.offer(iter(()), context(engine, cache, stopped))]
    cache.close()
    assert ids == answer(*BOTH)


def test_an_answer_that_is_too_long_to_be_held_streams_and_no_part_is_asked(engine):
    long = tokens(answer((1, 2, *(f"    v{number} = {number}" for number in range(60)))))
    taken = []

    def first():
        for token in long:
            taken.append(token)
            yield token

    model = Model()
    whole = Reranker(prompt_of(), check_of(), ConfidenceGate(), ForcedText(()), lambda: None)
    compound = CompoundRequest(check_of(), [InstructionSplit(("first", "second"), PLAIN)], model, enc)
    stream = AnswerPipeline((whole, compound)).offer(first(), context(engine, engine.new_cache()))
    assert next(stream) is long[0]
    assert len(taken) == HELD_TOKENS + 1
    assert [token.id for token in stream] == [token.id for token in long[1:]]
    assert model.asked == []


def test_the_hunks_between_two_texts_make_the_one_from_the_other():
    old, new = list("abcdef"), list("aXcdf")
    assert minimal_hunks(old, new) == [WindowHunk(1, 2, ("X",)), WindowHunk(4, 5, ())]


# Which requests are asked in parts

FILE = FilePart("a.py", "".join(f"{line}\n" for line in LINES))


@pytest.mark.parametrize(
    ("request_", "parted"),
    [
        (Request("drop the print and rename width to w", (FILE,)), True),
        (Request("drop the print", (FILE,)), False),
        (Request("drop the print and rename width to w", (FILE,), emitted=(token_layout.HUNK,)), True),
        (Request("drop the print and rename width to w", (FILE,), steer="and height to h"), False),
        (
            Request(
                "drop it",
                (FILE,),
                spliced=(Splice((token_layout.HUNK,), "no"),),
                steer="rename a, then drop b",
            ),
            False,
        ),
        (Request("drop the print and rename width to w", (FILE,), temperature=0.5), False),
        (Request("drop the print and rename width to w", (FilePart("a.txt", FILE.text),)), False),
    ],
)
def test_only_an_instruction_for_two_things_is_asked_in_parts(request_, parted):
    backend = spark_backend()
    backend.programs = False
    asked = backend.dialect.ask(request_)
    assert ("CompoundRequest" in stage_names(asked)) is parted
    backend.close()


def test_each_part_is_asked_of_the_same_file_and_is_not_parted_again():
    backend = spark_backend()
    backend.programs = False
    asked = backend.dialect.ask(
        Request("drop the print and rename width to w. Also sort it", (FILE,), cursor=2)
    )
    compound = stage_of(asked, CompoundRequest)
    alone = compound.ask("drop the print and rename width to w", None)
    head = asked.ids.index(token_layout.INSTR)
    assert alone.ids[:head] == asked.ids[:head]
    assert stage_names(alone) == ["Reranker", "ConfidenceMark"]
    assert token_layout.CUR in alone.ids
    other = compound.ask("sort it", ("x = 1",))
    assert stage_of(other, Reranker).check.lines == ("x = 1",)
    assert token_layout.CUR not in other.ids
    backend.close()
