"""`spark bench harm`: it sees harm where there is some, and none where there is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from spark_tui.bench import harm
from spark_tui.bench.packages import imports_and_tests
from spark_tui.bench.packages.copies import copies
from spark_tui.bench.packages.imports_and_tests import Importer, PackageTests
from spark_tui.bench.packages.sandbox import Sandbox, sandbox
from spark_tui.cli.main import main
from spark_tui.codemods.plan import Edit, Plan
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository

CART = '"""A cart."""\n\n\ndef total(cart, tax=0):\n    return sum(cart) + tax\n'
MAIN = '"""The shop."""\n\nfrom shop.cart import total\n\nPRICE = total([1, 2])\n'


@pytest.fixture(scope="module")
def within() -> Iterator[Sandbox]:
    with sandbox() as found:
        yield found


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "packages" / "shop"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "cart.py").write_text(CART)
    (folder / "main.py").write_text(MAIN + "# filler\n" * 300)
    return folder.parent


def found_harm(within: Sandbox, folder: Path, path: str, old: str, new: str) -> str:
    repo = Repository(DiskTree(folder))
    text = repo.index.text(path) or ""
    start = text.index(old)
    plan = Plan((Edit(path, start, start + len(old), new),))
    importer = Importer(folder, within)
    try:
        return harm.harm_of(folder, repo, plan, ["shop", "shop.cart", "shop.main"], importer)
    finally:
        importer.close()


def test_a_plan_that_breaks_nothing_is_no_harm(package: Path, within: Sandbox) -> None:
    assert found_harm(within, package, "shop/cart.py", "tax=0", "tax=1") == ""


def test_a_file_that_does_not_compile_is_harm(package: Path, within: Sandbox) -> None:
    assert "does not compile" in found_harm(within, package, "shop/cart.py", "tax=0", "tax=")


def test_an_undefined_name_is_harm(package: Path, within: Sandbox) -> None:
    assert "UndefinedName basket" in found_harm(within, package, "shop/cart.py", "sum(cart)", "sum(basket)")


def test_an_import_that_fails_is_harm_and_the_file_is_restored(package: Path, within: Sandbox) -> None:
    assert "cannot import name" in found_harm(within, package, "shop/cart.py", "def total", "def amount")
    assert (package / "shop/cart.py").read_text() == CART


def test_a_call_at_import_that_does_not_fit_is_harm(package: Path, within: Sandbox) -> None:
    assert "TypeError" in found_harm(within, package, "shop/cart.py", "tax=0", "tax")


def test_a_module_that_hangs_or_reads_its_input_stops_nothing(
    package: Path, within: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports_and_tests, "_IMPORT_SECONDS", 2)
    (package / "shop" / "reads.py").write_text("import sys\n\nsys.stdin.read()\n")
    (package / "shop" / "hangs.py").write_text("import time\n\ntime.sleep(600)\n")
    importer = Importer(package, within)
    try:
        assert importer.failing(["shop.reads", "shop.cart"]) == {}
        assert set(importer.failing(["shop.hangs"])) == {"shop.hangs"}
        assert importer.failing(["shop.cart"]) == {}
    finally:
        importer.close()


def test_a_module_that_needs_a_failed_import_before_it_is_left_out(package: Path, within: Sandbox) -> None:
    (package / "shop" / "broken.py").write_text("import shop\nshop.seen = 1\nimport no_such_package\n")
    (package / "shop" / "later.py").write_text("import shop\nshop.seen\n")
    importer = Importer(package, within)
    try:
        found = harm.importable(importer, ["shop", "shop.broken", "shop.later", "shop.main"])
    finally:
        importer.close()
    assert found == ["shop", "shop.main"]


def test_the_packages_of_a_folder_are_copied(package: Path, within: Sandbox) -> None:
    with copies(str(package)) as found:
        assert [item.name for item in found] == ["shop"]
        root = found[0].root
        assert (root / "shop/cart.py").read_text() == CART
        assert package not in root.parents
    assert not root.exists()


def test_the_bench_reports_in_the_common_form(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "harm", "--quick", "--plans", "4", "--packages", str(package), "--json", "--check"]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    bars = {item["name"]: item["value"] for item in report["bars"]}
    assert report["bench"] == "harm"
    assert bars["plans"] >= 1
    assert bars["unmarked_plans_that_break"] == 0


def test_a_folder_without_packages_is_malformed(tmp_path: Path) -> None:
    assert main(["bench", "harm", "--packages", str(tmp_path)]) == 2


def test_a_test_that_fails_after_a_plan_is_harm_and_one_that_failed_before_is_not(
    package: Path, within: Sandbox
) -> None:
    folder = package / "tests"
    folder.mkdir()
    (folder / "test_cart.py").write_text(
        "from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n\n\n"
        "def test_broken():\n    assert False\n"
    )
    tests = PackageTests(package, within)
    assert tests.can_run
    assert tests.newly_failing() == []
    (package / "shop" / "cart.py").write_text(CART.replace("tax=0", "tax=1"))
    assert tests.newly_failing() == ["tests/test_cart.py::test_total"]


def test_a_package_without_tests_is_not_tested(package: Path, within: Sandbox) -> None:
    assert not PackageTests(package, within).can_run


def test_a_source_archive_is_taken_with_its_tests(package: Path, within: Sandbox, tmp_path: Path) -> None:
    source = tmp_path / "shop-1.0"
    (source / "src").mkdir(parents=True)
    (source / "tests").mkdir()
    shutil.copytree(package / "shop", source / "src" / "shop")
    (source / "tests" / "test_cart.py").write_text(
        "from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
    )
    folder = tmp_path / "archives"
    folder.mkdir()
    shutil.make_archive(str(folder / "shop-1.0"), "gztar", tmp_path, "shop-1.0")
    with copies(str(folder)) as found:
        assert [item.name for item in found] == ["shop"]
        tests = PackageTests(found[0].root, within)
        assert (tests.can_run, tests.passing) == (True, 1)
        (found[0].root / "tests" / "test_cart.py").write_text("def check_total():\n    pass\n")
        assert tests.newly_failing() == ["the tests cannot be run"]


def test_tests_inside_of_a_package_run_and_one_that_is_gone_is_harm(package: Path, within: Sandbox) -> None:
    inside = package / "shop" / "tests"
    inside.mkdir()
    (inside / "__init__.py").write_text("")
    (inside / "test_cart.py").write_text("def test_a():\n    pass\n\n\ndef test_b():\n    pass\n")
    tests = PackageTests(package, within)
    assert tests.passing == 2
    (inside / "test_cart.py").write_text("def test_a():\n    pass\n\n\ndef b():\n    pass\n")
    assert tests.newly_failing() == ["1 tests are gone"]
