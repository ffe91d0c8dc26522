"""What is said while an edit comes: every case leads from whatever stood to the text that is wanted."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from random import Random

import pytest

from spark_tui.backends.answers.answer_check import read_hunks
from spark_tui.backends.local.spark_format import SparkFormat
from spark_tui.engine import bpe_trainer, token_layout
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.train import examples, sequences, steer_cases, steers, testset, worded_edits
from spark_tui.train.calibration import request_of
from spark_tui.train.kinds import Draw
from spark_tui.train.line_rewrites import BENDS, rewritten_line
from spark_tui.train.second_turns import _STEERS
from spark_tui.train.small_files import small_files
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, reads_like_held_out
from spark_tui.train.worded_edits import Case

steer_scope = table("wording/steer_scope")
wording = table("wording/steers")

SOURCE = "import logging\n\nlogger = logging.getLogger(__name__)\n\n\n" + "\n\n\n".join(
    f"""def step_{n}(value, limit={n + 20}, strict=False):
    result = value + limit
    for item in range(result):
        print("step {n} is large")
    if result > {n + 40}:
        return None
    return result"""
    for n in range(12)
)


def touch(one: WindowHunk, two: WindowHunk) -> bool:
    """Whether the later of two hunks takes the place of the other."""
    if one.first == one.last or two.first == two.last:
        return one.first <= two.last and two.first <= one.last
    return one.first < two.last and two.first < one.last


def encode(text: str) -> list[int]:
    return [32 + byte for byte in text.encode()]


def decode(ids: list[int]) -> str:
    return bytes(token - 32 for token in ids).decode()


@pytest.fixture(scope="module")
def room() -> examples.Mixer:
    rng = Random(5)
    pieces = list(small_files("app/steps.py", SOURCE, rng, count=30))
    return examples.Mixer(pieces, examples.pools_of(pieces), rng)


@pytest.fixture(scope="module")
def cases(room: examples.Mixer) -> list[Case]:
    found = [steers.steered(room) for _ in range(250)] + [steers.insisted(room) for _ in range(20)]
    return [case for case in found if case is not None]


def read(case: Case, ids: list[int]) -> list[WindowHunk]:
    kind, hunks = read_hunks(ids, decode, encode("\n")[0])
    assert kind == case.answer
    return hunks


def test_an_answer_leads_from_what_stood_to_what_is_wanted(cases: list[Case]) -> None:
    steered = [case for case in cases if case.steered is not None]
    assert len(steered) > 100
    for case in steered:
        assert case.steered is not None
        example = sequences.encode_case(encode, case, 0)
        new = read(case, example.ids[example.start :])
        kept = (
            []
            if case.answer == "no-edit"
            else [o for o in case.steered[0] if not any(touch(o, n) for n in new)]
        )
        hunks = sorted([*kept, *new], key=lambda hunk: (hunk.first, hunk.last))
        assert worded_edits.apply_hunks(case.before, hunks) == case.after


def test_a_hunk_that_gives_way_to_nothing_has_its_lines_written_again() -> None:
    before = "a = 1\nb = 2\nc = 3\n"
    stood = (WindowHunk(0, 1, ("a = 9",)), WindowHunk(3, 3, ("x = 0",)))
    case = Case("steer", "m.py", before, "a = 1\nb = 5\nc = 3\n", "a is 9", steered=(stood, "no, b is 5"))
    assert worded_edits.answer_hunks(case) == [
        WindowHunk(0, 1, ("a = 1",)),
        WindowHunk(1, 2, ("b = 5",)),
        WindowHunk(3, 3),
    ]


def test_all_that_can_stand_when_a_message_comes_is_taught(cases: list[Case]) -> None:
    def stood(case: Case) -> str:
        if case.steered is None:
            return "rejected"
        return case.answered or ("begun" if case.begun else "hunks" if case.steered[0] else "nothing")

    seen = Counter(map(stood, cases))
    assert {"rejected", "no-edit", "begun", "hunks", "nothing"} <= set(seen)
    assert seen["hunks"] > seen["begun"] > seen["rejected"]
    for case in cases:
        if case.begun is not None:
            ids = sequences.written_ids(encode, case)
            whole = token_layout.encode_hunk(encode, case.begun[0])
            last = ids[max(at for at, token in enumerate(ids) if token == token_layout.HUNK) :]
            assert last == whole[: len(last)]
            assert len(last) < len(whole)


def test_what_is_taught_is_what_the_backend_reads(cases: list[Case]) -> None:
    """The same case by way of a record and a request: the ids of a prompt have one form."""
    dialect = SparkFormat(Tokenizer(bpe_trainer.train(SOURCE.split("\n"))))
    for number, case in enumerate(cases):
        record = testset.record_of(case, "dev", number)
        back = testset.case_of(record)
        assert (back.steered, back.begun, back.answered) == (case.steered, case.begun, case.answered)
        example = sequences.encode_case(dialect.encode, case, 0)
        assert dialect.ask(request_of(record, dialect.encode)).ids == example.ids[: example.start]


@pytest.mark.parametrize("form", steer_cases.FORMS, ids=lambda form: form.__name__)
def test_each_form_is_found_and_wants_something_else_than_was_asked_first(
    form: steer_cases.Form, room: examples.Mixer
) -> None:
    found = (talk for talk in (form(room) for _ in range(300)) if talk is not None and steers.sound(talk))
    talks = list(islice(found, 5))
    assert talks
    for talk in talks:
        assert talk.after != worded_edits.apply_hunks(talk.before, talk.hunks)
        assert (talk.after == talk.before) is (form is steer_cases.withdrawn)
        assert talk.said.strip()


@pytest.mark.parametrize(
    ("line", "said", "wanted"),
    [
        ('        raise ValueError("too small")', "no exception, return `None`", "        return None"),
        ('        raise ValueError("too small")', "without the message", "        raise ValueError"),
        ('        logger.info("started")', "use warning", '        logger.warning("started")'),
        ("def load(path, retries=3):", "without the default", "def load(path, retries):"),
        ("    if size < 3:", "inclusive", "    if size <= 3:"),
        ("    if rows is None:", "just not rows", "    if not rows:"),
        ("    wait(30)", "twice that", "    wait(60)"),
        ('    return row["name"]', "use .get", '    return row.get("name")'),
        ('    """Load it."""', "as a comment", "    # Load it."),
        ('    print("ready")', "start with a capital", '    print("Ready")'),
    ],
)
def test_a_line_is_written_as_it_is_asked_for(line: str, said: str, wanted: str) -> None:
    found = set()
    for seed in range(300):
        draw = Draw(Random(seed))
        made = rewritten_line(line, f"def f(size, rows):\n{line}\n", draw)
        assert made is not None
        if made.new == (wanted,):
            found |= {steer_cases.message(made.phrases, dict(made.slots), draw) for _ in range(60)}
    assert any(said.lower().replace("`", "") in text.lower().replace("`", "") for text in found)


def test_a_line_is_left_alone_where_another_of_the_edit_could_be_meant() -> None:
    one, two = '    logger.info("a%s", x)', '    logger.info("b%s", x)'
    assert rewritten_line(one, f"{one}\n{two}\n", Draw(Random(1))) is not None
    assert all(
        rewritten_line(one, f"{one}\n{two}\n", Draw(Random(seed)), [two]) is None for seed in range(50)
    )


def test_every_way_to_write_a_line_otherwise_has_words_and_changes_it() -> None:
    lines = [
        '    raise ValueError("bad size")',
        "        return None",
        '    print("done")',
        '    logger.info("done")',
        "        continue",
        "def load(path, retries=3):",
        "def load(path, retries):",
        "def size(path) -> int:",
        "    if size < 3:",
        "    if rows is None:",
        "    if not rows:",
        "    wait(30)",
        '    return row["name"]',
        '    return row.get("name")',
        '    """Load it."""',
        "    except ValueError:",
    ]
    text = "import logging\n\ndef f(size, rows):\n" + "\n".join(lines)
    for bend, weight in BENDS:
        made = [
            found for line in lines for seed in range(8) if (found := bend(line, text, Draw(Random(seed))))
        ]
        assert weight > 0
        assert made, bend.__name__
        assert all(found.phrases for found in made)


def test_there_are_hundreds_of_phrasings_and_none_stands_twice_in_a_table() -> None:
    tables = [*wording.values(), *steer_scope.values()]
    flat = [t for found in tables for t in (found.values() if isinstance(found, dict) else [found])]
    assert sum(map(len, flat)) > 1200
    for templates in flat:
        if templates is not wording["openers"]:
            assert len(set(templates)) == len(templates)


def test_phrasings_of_the_test_are_not_taught(cases: list[Case]) -> None:
    kept = (HELD_OUT, *_STEERS[_STEERS.index(HELD_OUT) + 1 :])
    assert len(kept) == 3
    for case in cases:
        said = case.steered[1] if case.steered else case.instruction
        assert not reads_like_held_out(said, kept)
        assert not re.match(r"(?i)rather \S+$", said)


def test_messages_beside_each_other_are_each_about_the_file_as_shown(room: examples.Mixer) -> None:
    checked = 0
    for _ in range(60):
        case = steers.steered(room)
        if case is None or case.steered is None or checked > 5:
            continue
        others = steers.beside(case, room)
        example = sequences.several_example(encode, [case, *others], 0)
        assert example.group == "steer"
        for one, (begin, end) in zip([case, *others], example.spans, strict=True):
            assert (one.before, one.kind) == (case.before, "steer")
            assert example.ids[begin:end] == sequences.answer_ids(encode, one, 0)
            alone = sequences.encode_case(encode, one, 0)
            asked = alone.ids[alone.ids.index(token_layout.INSTR) : alone.start]
            assert example.ids[begin - len(asked) : begin] == asked
        checked += len(others) > 0
    assert checked > 5
