"""From modules to batches: licences, splits, windows, examples, tag rows, shards."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import numpy as np
import pytest
from support.tag_rows import tag_rows

from spark_tui.engine.text import token_layout
from spark_tui.train import __main__, corpus, dataset, dev_set, examples, kind_cases, sequences
from spark_tui.train.cases import answer_hunks, apply_hunks, hunks_between
from spark_tui.train.generated.small_files import small_files
from spark_tui.train.generated.snippet_generator import snippet
from spark_tui.train.kind_cases import call_kinds
from spark_tui.train.source_windows import SourceWindow, apply_changes, windows
from spark_tui.workspace import json_lines

SOURCE = "\n\n".join(
    f"""def step_{n}(value, limit={n + 20}, strict=False):
    result = value + limit
    if result > {n + 40}:
        print("step {n} is large")
        return None
    return result"""
    for n in range(12)
)


def encode(text: str) -> list[int]:
    return [32 + byte for byte in text.encode()]


def mixer(seed: int = 1, *, every_kind: bool = False) -> examples.Mixer:
    """Of the kinds that these few windows have room for: one that they have none for looks at each hundreds
    of times."""
    rng = Random(seed)
    pieces = list(windows("app/steps.py", SOURCE, rng, limit=24, count=12))
    found = examples.Mixer(pieces, rng)
    if not every_kind:
        found.kinds = [
            kind for kind in found.kinds if not kind.needs or any(kind.needs.search(w.text) for w in pieces)
        ]
    return found


@pytest.mark.parametrize(
    ("licence", "ok"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD AND MIT", True),
        ("Apache-2.0 OR GPL-3.0", True),
        ("MIT AND GPL-2.0", False),
        ("MPL-2.0", False),
        ("LGPL-2.1-or-later", False),
        ("", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("UNKNOWN", False),
    ],
)
def test_only_permissive_licences_are_taken(licence: str, ok: bool) -> None:
    assert corpus.is_permissive(licence) is ok


def test_tests_vendored_and_generated_files_are_skipped() -> None:
    from pathlib import PurePosixPath

    for name in (
        "pkg/tests/a.py",
        "pip/_vendor/rich/a.py",
        "pkg/test_a.py",
        "pkg/a_pb2.py",
        "pkg/conftest.py",
    ):
        assert corpus.skipped(PurePosixPath(name))
    assert not corpus.skipped(PurePosixPath("pkg/core/attest.py"))


def test_a_module_is_wholly_in_one_split_and_held_out_packages_never_train() -> None:
    assert {corpus.split_of("click", f"click/{n}.py") for n in range(50)} == {"package"}
    splits = [corpus.split_of("rich", f"rich/{n}.py") for n in range(600)]
    assert 10 < splits.count("test") < 90
    assert splits == [corpus.split_of("rich", f"rich/{n}.py") for n in range(600)]


def test_windows_parse_and_keep_to_their_limit() -> None:
    pieces = list(windows("app/steps.py", SOURCE, Random(3), limit=20, count=8))
    assert len(pieces) > 3
    for piece in pieces:
        assert len(piece.lines) <= 28
        assert piece.text in SOURCE + "\n" or piece.functions


def test_changes_are_made_together_and_may_not_overlap() -> None:
    assert apply_changes("abcdef", [(4, 5, "X"), (0, 1, ""), (2, 2, "-")]) == "b-cdXf"
    with pytest.raises(ValueError, match="overlap"):
        apply_changes("abcdef", [(0, 3, "x"), (2, 4, "y")])


def test_every_group_of_the_mixture_is_drawn_and_its_target_ends_the_example(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert min(examples.MIXTURE.values()) > 0
    monkeypatch.setattr(
        examples, "MIXTURE", dict.fromkeys(examples.MIXTURE, 1.0)
    )  # nobody waits for a rare one
    stream = mixer(every_kind=True).examples(encode, 4000)
    seen: set[str] = set()
    for number, example in enumerate(stream):
        if number >= 60 and seen >= set(examples.MIXTURE):
            break
        assert number < 900, f"never drawn: {set(examples.MIXTURE) - seen}"
        seen.add(example.group)
        assert example.ids[-1] == token_layout.EOS
        assert example.spans[-1][1] == len(example.ids)
        for begin, end in example.spans:
            assert 0 < begin < end
            if example.group not in ("code", "fill"):
                assert example.ids[end - 1] == token_layout.EOS
                assert example.ids[begin - 1] == token_layout.OUT


def test_the_target_of_an_edit_makes_the_after_text_from_the_before_text() -> None:
    source = mixer(4)
    for _ in range(60):
        case = source.case("edit")
        if case is None:
            continue
        start = source.rng.randrange(512)
        example = sequences.encode_case(encode, case, start)
        reader = token_layout.AnswerReader(case.path, lambda token: bytes([token - 32]).decode(), start=start)
        text = "".join(reader.read(token) for token in example.ids[example.spans[-1][0] :])
        assert not reader.broken
        assert text.count("@@") == len(answer_hunks(case))


def test_a_steer_is_answered_so_that_old_and_new_hunks_make_the_wanted_text() -> None:
    source = mixer(9)
    streamed = 0
    for _ in range(40):
        case = source.case("steer")
        if case is None or case.steered is None:
            continue
        streamed += 1
        assert case.before != case.after or case.steered[0] or case.begun, "or all is taken back"
        for hunk in case.steered[0]:
            assert hunk in hunks_between(case.before, apply_hunks(case.before, [hunk]))
    assert streamed > 5


def test_no_edit_cases_name_something_that_is_not_there_or_is_done() -> None:
    source = mixer(5)
    for _ in range(200):
        case = source.case("no-edit")
        if case is not None:
            assert case.answer == "no-edit"
            assert case.before == case.after


def test_tag_rows_of_a_padded_batch_equal_the_layouts() -> None:
    stream = mixer(2).examples(encode, 3000)
    ids = np.zeros((30, 3000), np.int64)
    for row in range(30):
        example = next(stream)
        ids[row, : len(example.ids)] = example.ids
    expected = [[max(tag, 0) for tag in tag_rows(row.tolist())] for row in ids]
    assert (dataset.tag_rows(ids) == np.array(expected)).all()


def test_a_shard_comes_back_as_batches_with_full_weight_on_targets_only(tmp_path: Path) -> None:
    tokens = dataset.write_shard(tmp_path / "0001-0000.npz", mixer(6), encode, 60, 4000)
    shards = dataset.Shards(tmp_path)
    seen = pointed = 0
    for batch in shards.batches(8000, 1):
        assert batch.ids.shape == batch.tags.shape == batch.weights.shape
        assert batch.ids.shape[1] in dataset.LENGTHS
        for ids, weights in zip(batch.ids, batch.weights, strict=True):
            full = set(np.nonzero(weights >= 1.0)[0].tolist())
            answers = set()
            for begin in np.nonzero(ids == token_layout.OUT)[0].tolist():
                body = range(begin, len(ids) - 1)
                stop = next(
                    at
                    for at in body
                    if ids[at + 1] in (token_layout.EOS, token_layout.REJECTED, token_layout.STEER)
                )
                if ids[stop + 1] == token_layout.EOS:
                    answers |= set(range(begin, stop + 1))
            if token_layout.OUT in ids:
                assert full == answers
            pointing = {at for at in answers if token_layout.is_tag(int(ids[at + 1]))}
            assert {at for at in full if weights[at] == np.float32(dataset.POINTING)} == pointing
            pointed += len(pointing)
        seen += batch.tokens
        if seen >= tokens:
            break
    assert seen and pointed


@pytest.fixture
def simple_mixture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups that are made at once."""
    monkeypatch.setattr(examples, "MIXTURE", dict.fromkeys(("find", "copy", "code", "fill"), 1.0))


@pytest.mark.usefixtures("simple_mixture")
def test_new_shards_are_read_before_old_ones_are_read_again(tmp_path: Path) -> None:
    dataset.write_shard(tmp_path / "0001-0000.npz", mixer(6), encode, 30, 4000)
    stream = dataset.Shards(tmp_path).batches(10**6, 1)
    first = next(stream)
    dataset.write_shard(tmp_path / "0002-0000.npz", mixer(7), encode, 30, 4000)
    later = [next(stream) for _ in range(12)]
    assert any(not np.array_equal(first.ids[0], batch.ids[0]) for batch in later)


def test_a_record_survives_the_file_and_keeps_its_history(tmp_path: Path) -> None:
    source = mixer(8)
    cases = [case for case in (source.case("steer") for _ in range(30)) if case is not None]
    records = [dev_set.record_of(case, number) for number, case in enumerate(cases)]
    json_lines.write(tmp_path / "cases.jsonl.gz", records)
    assert json_lines.read(tmp_path / "cases.jsonl.gz") == [*map(dict, records)]
    for case, record in zip(cases, records, strict=True):
        again = dev_set.case_of(record)
        assert (again.before, again.after, again.history, again.steered) == (
            case.before,
            case.after,
            case.history,
            case.steered,
        )


def test_functions_that_stand_in_training_code_are_recognised_whatever_their_spacing() -> None:
    one = SourceWindow("a.py", "def same(x):\n    return x + 1\n")
    two = SourceWindow("b.py", "def same(x):\n        return x  + 1\n")
    assert dev_set.fingerprints([one]) == dev_set.fingerprints([two])


def test_the_development_set_is_of_code_that_was_not_read_where_there_is_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = [
        call_kinds()[name]
        for name in ("rename_parameter", "change_default", "add_parameter", "add_docstring")
    ]
    monkeypatch.setattr(kind_cases, "all_kinds", lambda: kinds)
    read = corpus.Module("shop", "a.py", SOURCE, "train")
    held = corpus.Module("shop", "b.py", SOURCE.replace("step_", "held_"), "test")
    fresh = corpus.Module(
        "shop", "c.py", SOURCE.replace("step_", "fresh_").replace("result", "outcome"), "train"
    )
    few = {"no-edit": 2, "cannot": 2}
    for unread, shown in (((), "step_"), ((fresh,), "fresh_")):
        records = dev_set.build_dev([read, held], unread, per_kind=3, others=few)
        assert len(records) > 12
        assert all(record["set"] == "dev" for record in records)
        assert any(shown in record["before"] for record in records)
        assert not any("held_" in record["before"] for record in records)
    assert not any("step_" in record["before"] for record in records)


@pytest.mark.parametrize("count", [30, pytest.param(80, marks=pytest.mark.slow)])
def test_several_edits_of_one_file_are_each_told_of_the_file_as_shown(count: int) -> None:
    source = mixer(3)
    checked = 0
    for _ in range(count):
        case = source.case("edit")
        if case is None:
            continue
        cases = [case, *source.beside(case)]
        example = sequences.several_example(encode, cases, 0)
        assert len(example.spans) == len(cases)
        for one, (begin, end) in zip(cases, example.spans, strict=True):
            assert one.before == case.before
            hunks = hunks_between(one.before, one.after)
            expected = [t for h in hunks for t in token_layout.encode_hunk(encode, h)]
            assert example.ids[begin:end] == [*(expected or [token_layout.NOEDIT]), token_layout.EOS]
            assert bool(expected) is (one.answer == "edit")
        checked += len(cases) > 1
    assert checked > 5


def test_a_question_with_nothing_to_do_names_what_the_file_does_not_have() -> None:
    source = mixer(3)
    other = SourceWindow("b.py", "def elsewhere(thing):\n    return thing\n")
    found = [case for case in (source.idle_beside(other) for _ in range(60)) if case is not None]
    assert found
    for case in found:
        assert (case.before, case.after, case.answer) == (other.text, other.text, "no-edit")
        assert "elsewhere" not in case.instruction


@pytest.mark.usefixtures("simple_mixture")
def test_a_worker_writes_shards_of_its_own_and_keeps_those_that_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(__main__.text_encoder, "load", lambda path: encode)
    monkeypatch.setattr(__main__, "TOKENS", 2000)
    module = corpus.Module("shop", "a.py", SOURCE, "train")
    monkeypatch.setattr(__main__.corpus, "read", lambda path: [module])
    order = [
        "data",
        "--preset",
        "tiny",
        "--out",
        str(tmp_path),
        "--worker",
        "3",
        "--stages",
        "middle,wide",
        "--shards",
    ]
    assert __main__.main([*order, "1"]) == 0
    (first,) = (tmp_path / "data-tiny").iterdir()
    written = first.read_bytes()
    assert __main__.main([*order, "5"]) == 0
    assert len(list((tmp_path / "data-tiny").iterdir())) == 5
    assert first.read_bytes() == written


def test_common_snippets_parse_and_import_what_they_need() -> None:
    seen = set()
    for seed in range(600):
        imports, constants, text = snippet(Random(seed))
        tree = ast.parse("\n".join([*imports, *constants, text]))
        assert isinstance(tree.body[-1], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        assert "$" not in text
        seen.add(text.split("\n")[1].strip())
    assert len(seen) > 50


def test_small_files_are_put_together_from_a_module_and_begin_at_their_first_line() -> None:
    source = "import os\nfrom typing import Any\n\nDEEP = 3\n\n\n" + SOURCE.replace(
        "limit=", "limit: int = "
    ).replace(
        "    result = value + limit", '    """Do it."""\n    result: int = os.path.join(value, limit) + DEEP'
    )
    files = list(small_files("lib/steps.py", source, Random(3), count=40))
    assert len(files) > 20
    texts = [file.text for file in files]
    assert all(10 <= len(file.lines) <= 80 for file in files)
    assert any(text.startswith("import os\n") for text in texts)
    assert not any("from typing" in text for text in texts)
    assert any('__name__ == "__main__"' in text for text in texts)
    for part in ('"""Do it."""', "limit: int", "def step_", "DEEP"):
        assert 0 < sum(part in text for text in texts) < len(texts)


def test_a_lookup_points_at_the_line_that_it_names() -> None:
    window = mixer(3).windows[0]
    example = sequences.find_example(encode, window, mixer(3).rng, 0)
    assert example is not None
    text = bytes(token - 32 for token in example.ids if 32 <= token < 288).decode()
    assert len(example.spans) > 1
    for begin, _ in example.spans:
        line = window.lines[token_layout.line_of(example.ids[begin])].strip()
        assert line
        assert any(part in text for part in line.split())
