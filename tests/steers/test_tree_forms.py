"""Forms with holes: where they stand, and what takes their place."""

from __future__ import annotations

import pytest

from spark_tui.refactor.source import Source
from spark_tui.steers.otherwise_families import FAMILIES
from spark_tui.steers.tree_forms import Place, places, read, replaced


def rewritten(text: str, form: str, other: str) -> list[str]:
    src = Source(text.split("\n")[:-1])
    changes = [replaced(src, place, other) for place in places(src, form)]
    return [src.changed([change]) for change in changes if change is not None]


def test_a_hole_takes_the_same_code_wherever_it_stands() -> None:
    text = "if key in seen:\n    value = seen[key]\nelse:\n    value = None\n"
    form = "if _k in _d:\n    _x = _d[_k]\nelse:\n    _x = _v"
    assert rewritten(text, form, "_x = _d.get(_k, _v)") == ["value = seen.get(key, None)\n"]
    assert rewritten(text.replace("seen[key]", "other[key]"), form, "_x = _d.get(_k, _v)") == []


def test_statements_keep_their_comments_and_get_the_depth_of_their_new_place() -> None:
    text = "def f(x):\n    x.acquire()\n    try:\n        # why\n        go(x)\n    finally:\n        x.release()\n"
    form = "_x.acquire()\ntry:\n    __b\nfinally:\n    _x.release()"
    assert rewritten(text, form, "with _x:\n    __b") == ["def f(x):\n    with x:\n        # why\n        go(x)\n"]


def test_a_comment_that_would_be_lost_stops_it() -> None:
    text = "if i >= n:\n    # around\n    i -= n\n"
    assert rewritten(text, "if _i >= _n:\n    _i -= _n", "_i %= _n") == []


def test_what_binds_less_gets_brackets() -> None:
    assert rewritten("y = math.sqrt(a)\n", "math.sqrt(_x)", "_x ** 0.5") == ["y = a ** 0.5\n"]
    assert rewritten("y = math.ceil((a + b) / 2)\n", "math.ceil(_a / _b)", "-(-_a // _b)") == ["y = -(-(a + b) // 2)\n"]


def test_a_condition_is_negated() -> None:
    text = "for x in xs:\n    if x.old:\n        continue\n    use(x)\n"
    made = rewritten(text, "if _t:\n    continue\n__b", "if NOT(_t):\n    __b")
    assert made == ["for x in xs:\n    if not x.old:\n        use(x)\n"]


def test_an_annotated_value_keeps_its_hint() -> None:
    src = Source(["d: dict[str, int] = {}"])
    place = next(iter(places(src, "_d = {}")))
    assert isinstance(place, Place)
    change = replaced(src, place, "_d = Counter()")
    assert change is not None
    assert src.changed([change]) == "d: dict[str, int] = Counter()\n"


@pytest.mark.parametrize("family", FAMILIES)
def test_all_members_of_a_family_have_as_many_forms(family: tuple) -> None:  # type: ignore[type-arg]
    assert len({len(kind.forms) for kind in family}) == 1
    assert any(kind.words for kind in family)
    for kind in family:
        for form in kind.forms:
            assert read(form.replace("SAID", "8"))
