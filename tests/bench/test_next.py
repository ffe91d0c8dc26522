"""The bench of the next edit: which changes are alike, what is right, and the replay of two releases."""

from __future__ import annotations

import argparse
import io
import zipfile
from pathlib import Path

import pytest

from spark_tui.bench import next as next_bench
from spark_tui.bench.next_inline import ghost_text
from spark_tui.bench.next_judge import FileJudge
from spark_tui.bench.next_weights import Sample, as_toml, fitted
from spark_tui.bench.release_changes import alike_places
from spark_tui.bench.release_pairs import releases

OLD = "def total(a, b):\n    return a + b\n\n\nx = total(1, 2)\ny = total(3, 4)\nz = 5\n"
NEW = OLD.replace("total", "amount").replace("z = 5", "z = 6")


def test_places_are_alike_where_the_same_tokens_went_and_came():
    groups = alike_places({"a.py": OLD}, {"a.py": NEW}, 1)
    assert sorted(len(one) for one in groups) == [1, 3]
    largest = max(groups, key=len)
    assert largest[0].is_definition and largest[0].edits[0][2].strip() == "amount"


def test_what_a_formatter_does_is_no_change():
    assert alike_places({"a.py": "x = ['a', 1]\n"}, {"a.py": 'x = [\n    "a",\n    1,\n]\n'}, 1) == []


def test_kept_parts_are_not_part_of_what_is_alike():
    old = {"a.py": "a: Optional[int]\nb: Optional[Dict[str, int]]\nc: Optional[x.y]\n"}
    new = {"a.py": "a: int | None\nb: Dict[str, int] | None\nc: x.y | None\n"}
    assert [len(one) for one in alike_places(old, new, 1)] == [3]


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


def test_ghost_text_is_right_only_to_the_letter():
    text = "".join(f"value_{n} = compute_total(value_{n})\n" for n in range(60))
    rows, bars = ghost_text([{"a.py": text}], 40)
    assert rows[0]["chances"] == 40
    assert bars[0].value is not None and bars[0].value > 0.7


def test_weights_tell_features_apart():
    good = [Sample("wrap one", {"holes": 1.0}, 10, 0)] * 20
    bad = [Sample("wrap one", {"prose": 1.0}, 0, 10)] * 20
    weights = fitted([*good, *bad], 1.0)
    assert weights["holes"] > 0 > weights["prose"]
    text = as_toml({str(n): [good[0], bad[0]] for n in range(20)})
    assert '["wrap one"]' in text


def test_a_group_that_is_never_sure_enough_gets_no_weights():
    unsure = {str(n): [Sample("name one", {"length": 1.0}, 5, 5)] for n in range(20)}
    assert "name one" not in as_toml(unsure)
