"""The choice of when an edit needs no mark."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

from spark_tui.evals import mark_limit
from spark_tui.evals.package_tasks import PackageTask, PackageTasks
from spark_tui.intent.reading.reader import Reader

CART = "class Cart:\n    def total(self):\n        return 1\n"
RIGHT = """--- a/cart.py
+++ b/cart.py
@@ -1,3 +1,3 @@
-class Cart:
+class Basket:
     def total(self):
         return 1
"""


def test_the_limit_lets_through_as_many_as_are_right_often_enough() -> None:
    sure = np.linspace(0.99, 0.01, 99)
    right = (np.arange(99) < 60).astype(float)
    limit, coverage, precision = mark_limit.threshold(sure, right, 0.97)
    assert limit == pytest.approx(sure[60], abs=0.011)
    assert coverage == 1.0 and precision >= mark_limit.WANTED


def test_nothing_is_unmarked_where_nothing_is_right_enough() -> None:
    assert mark_limit.threshold(np.array([0.9, 0.8]), np.array([0.0, 1.0]), 0.97) == (0.99, 0.0, 0.0)


def test_an_edit_is_right_when_it_is_what_a_person_wrote(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "shop-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("cart.py", CART)
    tasks = tuple(
        PackageTask(name, "plain", "en", "rename", "cart.py", f"rename Cart to {new}", "edit", (RIGHT,))
        for name, new in (("right", "Basket"), ("wrong", "Trolley"))
    )
    sets = [PackageTasks("shop", "1.0", "dev", tasks)]
    found = list(mark_limit.outcomes(sets, tmp_path, Reader.load()))
    assert [outcome.right for outcome in found] == [True, False]
    assert all(0.5 < outcome.certainty < 1 for outcome in found)


def test_numbers_are_written_in_their_place(tmp_path: Path) -> None:
    table = tmp_path / "certainty.toml"
    table.write_text("offset = 0.8\nunmarked = 0.9\n\n[weights]\nshare = 0.2\n", "utf-8")
    mark_limit.write({"unmarked": 0.7512, "share": -1.25}, table)
    stored = tomllib.loads(table.read_text("utf-8"))
    assert stored == {"offset": 0.8, "unmarked": 0.751, "weights": {"share": -1.25}}
