"""The bench of the next edit: which changes are alike, what is right, and the replay of two releases."""

from __future__ import annotations

import argparse
import io
import tomllib
import zipfile
from pathlib import Path

import pytest

from spark_tui.bench import next as next_bench
from spark_tui.bench.next import ghost_text
from spark_tui.bench.next_edit.alike_forms import form_of, is_told
from spark_tui.bench.next_edit.judge import FileJudge
from spark_tui.bench.next_edit.release_changes import ChangedPlace, alike_places
from spark_tui.bench.next_edit.release_pairs import History, releases
from spark_tui.bench.next_edit.replay import Walk, repository
from spark_tui.bench.next_edit.weights import FitSample, as_toml, fitted, samples_of, threshold
from spark_tui.codemods.plan import Edit
from spark_tui.next_edit.confidence import share_of

OLD = "def total(a, b):\n    return a + b\n\n\nx = total(1, 2)\ny = total(3, 4)\nz = 5\n"
NEW = OLD.replace("total", "amount").replace("z = 5", "z = 6")


def test_places_are_alike_where_the_same_tokens_went_and_came():
    groups = alike_places({"a.py": OLD}, {"a.py": NEW}, 1)
    assert sorted(len(group) for group in groups) == [1, 3]
    largest = max(groups, key=len)
    assert largest[0].is_definition and largest[0].edits[0][2].strip() == "amount"


def test_what_a_formatter_does_is_no_change():
    assert alike_places({"a.py": "x = ['a', 1]\n"}, {"a.py": 'x = [\n    "a",\n    1,\n]\n'}, 1) == []


def test_kept_parts_are_not_part_of_what_is_alike():
    old = {"a.py": "a: Optional[int]\nb: Optional[Dict[str, int]]\nc: Optional[x.y]\n"}
    new = {"a.py": "a: int | None\nb: Dict[str, int] | None\nc: x.y | None\n"}
    assert [len(place) for place in alike_places(old, new, 1)] == [3]


@pytest.mark.parametrize(
    "old, new, verdict",
    [("total(1", "amount(1", "right"), ("total(1", "sum(1", "wrong"), ("z = 5", "z = 7", "wrong")],
)
def test_an_edit_is_right_where_the_newer_text_has_it(old, new, verdict):
    start = OLD.index(old)
    assert FileJudge(OLD, NEW).verdict(start, start + len(old), new) == verdict


def test_an_edit_in_a_line_that_is_gone_is_neither():
    start = OLD.index("x = total")
    assert FileJudge(OLD, OLD.replace("x = total(1, 2)\n", "")).verdict(start, start + 1, "w") == "gone"


def test_an_edit_beside_another_change_of_its_line_is_judged_by_itself():
    target = OLD.replace("x = total(1, 2)", "first = amount(1, 2)")
    start = OLD.index("total(1")
    assert FileJudge(OLD, target).verdict(start, start + 5, "amount") == "right"


def _wheel(folder: Path, version: str, text: str) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as wheel:
        wheel.writestr("shop/cart.py", text)
        wheel.writestr("shop/uses.py", "from shop.cart import %s\n" % ("total" if text == OLD else "amount"))
    (folder / f"shop-{version}-py3-none-any.whl").write_bytes(data.getvalue())


def test_two_releases_are_replayed(tmp_path: Path):
    _wheel(tmp_path, "1.0", OLD)
    _wheel(tmp_path, "1.1", NEW)
    assert [name for name, _, _ in releases(tmp_path)] == ["shop"]
    parser = argparse.ArgumentParser()
    next_bench.add_arguments(parser)
    args = parser.parse_args(["--packages", str(tmp_path), "--part", "all"])
    args.quick = True
    report = next_bench.measure(args)
    bars = {bar.name: bar.value for bar in report.bars}
    assert bars["precision of the places shown"] == 1.0
    assert bars["recall of the alike places"] == 1.0
    assert report.rows[0]["shown after one"] == "1/1"


def test_the_name_of_a_source_archive_may_have_hyphens(tmp_path: Path):
    for name in ("more-itertools-9.1.0.tar.gz", "more-itertools-10.1.0.tar.gz", "a_b-1.0-py3-none-any.whl"):
        (tmp_path / name).touch()
    found = [(name, older.name, newer.name) for name, older, newer in releases(tmp_path)]
    assert found == [("more-itertools", "more-itertools-9.1.0.tar.gz", "more-itertools-10.1.0.tar.gz")]


def test_ghost_text_is_right_only_to_the_letter():
    text = "".join(f"value_{n} = compute_total(value_{n})\n" for n in range(60))
    rows, bars = ghost_text([{"a.py": text}], 40)
    assert rows[0]["chances"] == 40
    assert bars[0].value is not None and bars[0].value > 0.7


def _sample(question: int, feature: str, right: int, wrong: int) -> FitSample:
    return FitSample(question, "wrap", 1, {feature: 1.0}, right + wrong, right, wrong)


def test_weights_tell_features_apart():
    good, bad = _sample(1, "holes", 10, 0), _sample(2, "prose", 0, 10)
    weights = fitted([good, bad] * 20, 1.0)["wrap"]
    assert weights["holes"] > 0 > weights["prose"]
    text, _ = as_toml({str(n): [good, bad] for n in range(20)})
    found = tomllib.loads(text)["wrap"]
    assert share_of(found, good.features) > found["least"] > share_of(found, bad.features)


def test_what_is_never_right_enough_is_not_shown():
    text, _ = as_toml({str(n): [_sample(1, "length", 5, 5)] for n in range(20)})
    assert tomllib.loads(text)["wrap"]["least"] == 0.99


def test_of_each_question_the_candidate_counts_that_would_be_offered():
    offered, other = _sample(1, "a", 50, 0), _sample(1, "b", 0, 50)
    found = [(0.9, ("p", 1), offered), (0.8, ("p", 1), other)]
    assert threshold(found, 0.9) == (0.9, 50, 50)


@pytest.mark.parametrize("changed, told", [(5, True), (2, False)])
def test_a_change_is_told_by_the_text_where_most_places_of_its_form_have_it(changed, told):
    old = "".join(f"a{n} = f(x, {n})\n" for n in range(6))
    (group,) = alike_places({"a.py": old}, {"a.py": old.replace("f(", "g(", changed)}, 2)
    assert is_told({"a.py": old}, group) is told


def test_an_insertion_is_not_told_where_the_same_stands_around_what_stayed():
    old = "".join(f"def f{n}(a):\n    return {n}\n\n\n" for n in range(6))
    (group,) = alike_places({"a.py": old}, {"a.py": old.replace("(a)", "(a) -> int", 2)}, 2)
    assert not is_told({"a.py": old}, group)


def test_what_all_places_have_around_them_belongs_to_the_form():
    old = {"a.py": "def f(a): ...\nk(a)\n\n\ndef g(a): ...\nk(b)\nk(c)\n"}
    new = {"a.py": old["a.py"].replace("f(a)", "f(a: int)").replace("g(a)", "g(a: int)")}
    (group,) = alike_places(old, new, 2)
    assert form_of(old, group) == [["(", "a", ")", ":", "..."]]
    assert is_told(old, group)


def test_an_alike_place_is_right_though_the_lines_around_it_moved():
    old = "one()\ntwo()\nf(1)\n" + "x = 1\n" * 3 + "f(2)\n"
    new = "g(2)\n" + "y = 2\n" * 9 + "g(1)\n"
    place = ChangedPlace(
        "a.py",
        old.index("f(2"),
        old.index("f(2") + 1,
        ((old.index("f(2"), old.index("f(2") + 1, "g"),),
        False,
    )
    edit = Edit("a.py", place.start, place.end, "g")
    history = History("h", {"a.py": old}, {"a.py": new})
    walk = Walk(repository(history), history, [place])
    assert walk.verdicts([edit]) == [(edit, "right")]


def test_a_line_of_which_nothing_is_left_is_neither_right_nor_wrong():
    old = "a = 1\nassert equal(cart, price)\nb = 2\n"
    edit = (old.index("cart"), old.index("cart") + 4, "basket")
    assert FileJudge(old, "a = 1\nfor x in y:\n    z()\nb = 2\n").verdict(*edit) == "gone"
    assert FileJudge(old, "a = 1\nassert equal(cart, total)\nb = 2\n").verdict(*edit) == "wrong"


def test_the_order_of_imports_does_not_matter():
    old = "import os\nfrom a import b\n\nx = b\n"
    new = "from d import c\n" * 1 + "import os\nimport sys\nfrom a import b\n\nx = c(b)\n"
    at = old.index("\nx = b")
    assert FileJudge(old, new).verdict(at, at, "from d import c\n") == "right"
    assert FileJudge(old, new).verdict(at, at, "from d import e\n") == "wrong"


def test_an_offer_that_is_taken_is_followed_by_the_next():
    old = "".join(f"a{n} = f(x, {n})\n" for n in range(6))
    history = History("h", {"a.py": old}, {"a.py": old.replace("f(", "g(")})
    (group,) = alike_places(history.before, history.after, 2)
    walk = Walk(repository(history), history, group)
    walk.make(0)
    walk.take_places([1, 2])
    assert sorted(walk.left) == [3, 4, 5]
    at = walk.situation()
    assert at is not None and at.taken == {"a.py"} and len(at.earlier) == 2
    edits = [Edit("a.py", place.start, place.end, " g") for place in walk.left.values()]
    assert {verdict for _, verdict in walk.verdicts(edits)} == {"right"}
    assert walk.covered(edits) == {3, 4, 5}


def test_samples_of_a_history_are_judged_by_its_newer_text():
    old = "".join(f"a{n} = f(x, {n})\n" for n in range(6))
    history = History("h", {"a.py": old}, {"a.py": old.replace("f(", "g(")})
    found = samples_of(history, 7, 9)
    assert found and all(item.right for item in found)
