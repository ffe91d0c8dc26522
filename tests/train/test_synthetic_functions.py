"""Code put together by chance, edits cut as one block, and kinds that get their share."""

from __future__ import annotations

import ast
import re
from collections import Counter
from random import Random

from spark_tui.train import examples, sequences, worded_edits
from spark_tui.train.kinds import KINDS, Draw
from spark_tui.train.snippet_generator import NOUNS, VERBS
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.synthetic_functions import synthetic_function

WINDOWS = [
    SourceWindow("shop/drill.py", "\n\n".join(["\n".join([*imports, *constants]), text]) + "\n")
    for imports, constants, text in (synthetic_function(Random(seed), NOUNS, VERBS) for seed in range(400))
]


def cases(kind: str, count: int = 20) -> list[worded_edits.Case]:
    rng = Random(kind)
    found = (worded_edits.edit(KINDS[kind], rng.choice(WINDOWS), Draw(rng)) for _ in range(count * 60))
    return [case for case in found if case is not None][:count]


def test_drills_are_functions_that_read_and_no_two_are_alike() -> None:
    for window in WINDOWS:
        assert isinstance(window.tree.body[-1], ast.FunctionDef)
        assert not re.search(r"\{[a-z]\}(?!.*f\")", window.text.split('f"')[0])
    assert len({window.text for window in WINDOWS}) == len(WINDOWS)


def test_drills_hold_what_the_rare_edits_need() -> None:
    for kind in (
        "merge_ifs",
        "invert_if",
        "early_return",
        "inline_variable",
        "to_fstring",
        "to_pathlib",
        "open_to_with",
        "use_enumerate",
        "remove_else",
        "ternary",
        "remove_item",
        "mutable_default",
        "remove_argument",
    ):
        assert len({case.before for case in cases(kind)}) > 8, kind


def test_lines_that_change_places_are_written_as_one_hunk() -> None:
    for kind in ("sort_imports", "invert_if"):
        for case in cases(kind):
            (hunk,) = worded_edits.hunks_between(case.before, case.after, block=case.block)
            assert worded_edits.apply_hunks(case.before, [hunk]) == case.after
            lines = case.before.split("\n")
            assert lines[hunk.first] != hunk.new[0]
            assert lines[hunk.last - 1] != hunk.new[-1]


def test_a_block_of_texts_that_repeat_lines_is_cut_without_overlap() -> None:
    rng = Random(5)
    for _ in range(300):
        old, new = ("".join(rng.choice("ab") + "\n" for _ in range(rng.randint(0, 6))) for _ in range(2))
        hunks = worded_edits.hunks_between(old, new, block=True)
        assert worded_edits.apply_hunks(old, hunks) == new
        assert len(hunks) == (old != new)


def test_sorted_imports_are_the_same_imports_in_order() -> None:
    for case in cases("sort_imports"):
        before, after = (re.findall(r"(?m)^import .+$", text) for text in (case.before, case.after))
        assert after == sorted(before)
        assert len(after) >= 3


def test_a_type_in_a_list_of_parameters_is_said_or_stands_in_the_code() -> None:
    source = '''def pack(box, size: int):
    """Pack it.

    Args:
        box (Box): what is packed
        size (int): how large it is
    """
    return box
'''
    rng = Random(2)
    window = SourceWindow("shop/pack.py", source)
    told = set()
    for _ in range(80):
        case = worded_edits.edit(KINDS["document_parameter"], window, Draw(rng))
        assert case is not None
        (line,) = set(case.after.split("\n")) - set(case.before.split("\n"))
        told.add(line.split()[0])
        assert line.split()[0] == "size" or "(Box)" in case.instruction
    assert told == {"box", "size"}


def test_a_parameter_is_put_into_a_list_that_is_made_up() -> None:
    window = SourceWindow("shop/pack.py", "def pack(box, size, lid=None):\n    return box\n")
    rng = Random(4)
    for _ in range(60):
        case = worded_edits.edit(KINDS["document_parameter"], window, Draw(rng))
        if case is not None:
            (hunk,) = worded_edits.hunks_between(case.before, case.after)
            assert len(hunk.new) == 1
            assert re.search(r"\b(?:box|size|lid)\b", hunk.new[0])


def test_kinds_that_few_windows_have_room_for_get_their_share() -> None:
    rng = Random(6)
    source = examples.Mixer(WINDOWS, examples.pools_of(WINDOWS), rng)
    made = Counter[str]()
    for _ in range(250):
        case = source.case("edit")
        if case is not None:
            made.update(one.kind for one in (case, *source.beside(case)) if one.answer == "edit")
    for rare, common in (
        ("to_fstring", "add_guard"),
        ("use_enumerate", "annotate_return"),
        ("merge_ifs", "add_log"),
    ):
        assert made[rare] > made[common] / 2, (rare, common, made)
    assert len(made) > 80


def test_edits_that_do_not_fit_into_a_sequence_are_left_out_and_the_first_stays() -> None:
    source = examples.Mixer(WINDOWS, examples.pools_of(WINDOWS), Random(8))

    def encode(text: str) -> list[int]:
        return [32 + byte for byte in text.encode()]

    shortened = 0
    for _ in range(40):
        case = source.case("edit")
        cases = [case, *source.beside(case)] if case is not None else []
        if len(cases) < 3 or any(one.error or one.here for one in cases):
            continue
        whole = sequences.several_example(encode, cases, 0)
        alone = sequences.several_example(encode, cases[:1], 0)
        most = len(whole.ids) - 1
        cut = sequences.several_example(encode, cases, 0, most)
        assert len(cut.ids) <= most
        assert cut.ids[: len(alone.ids)] == alone.ids
        assert 1 <= len(cut.spans) < len(cases)
        shortened += 1
    assert shortened > 5


def test_one_of_several_calls_becomes_a_path_where_its_line_is_named() -> None:
    text = (
        "import os\nfrom pathlib import Path\n\n\ndef find(folder, name):\n"
        "    os.makedirs(folder)\n    return os.path.join(folder, name)\n"
    )
    rng = Random(3)
    lines = set()
    for _ in range(40):
        case = worded_edits.edit(KINDS["to_pathlib"], SourceWindow("shop/find.py", text), Draw(rng))
        assert case is not None
        (hunk,) = worded_edits.hunks_between(case.before, case.after)
        lines.add(hunk.first + 1)
    assert lines == {6, 7}
