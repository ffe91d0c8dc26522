"""A rename goes on in the other files of the tree, in the same turn, and so does what is said behind it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading

import pytest
from test_whole_file_edits import Answering

from spark_tui import events
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import Misfit
from spark_tui.session.session import Session

CART = "class Cart:\n    def add(self, sku):\n        return sku\n\n\ndef area(width):\n    return width\n"
DESK = "from shop.cart import Cart, area\n\n\ndef f():\n    cart = Cart()\n    cart.add(area(1))\n"
REPORT = "def lines(found):\n    return found.add(1)\n"


@pytest.fixture
def session(tmp_path):
    root = tmp_path / "tree"
    (root / "shop").mkdir(parents=True)
    for name, text in (
        ("cart", CART),
        ("desk", DESK),
        ("report", REPORT),
        ("other", "def area():\n    pass\n"),
    ):
        (root / "shop" / f"{name}.py").write_text(text)
    session = Session(root, Answering(), Settings(), tmp_path / "state")
    yield session
    session.close()


def turn(session, asked, path="shop/cart.py"):
    return list(session.turn(asked, in_view=path, stop=threading.Event()))


def written(session):
    for known in session.decisions.review.ids:
        if session.decisions.review.state(known) == "open":
            session.decisions.decide(known, "accepted")
    session.changes.write()
    return {path.name: path.read_text() for path in (session.root / "shop").iterdir()}


def test_what_imports_the_name_is_edited_in_the_same_turn_and_the_rest_is_not(session):
    told = turn(session, "rename area to size")
    assert {session.decisions.review.hunk(known).path for known in session.decisions.review.ids} == {
        "shop/cart.py",
        "shop/desk.py",
    }
    files = written(session)
    assert files["cart.py"] == CART.replace("area", "size")
    assert files["desk.py"] == DESK.replace("area", "size")
    assert files["other.py"] == "def area():\n    pass\n"
    assert not [event for event in told if isinstance(event, events.Prose)]


def test_where_it_may_have_to_go_on_is_said_with_the_turn(session):
    told = turn(session, "rename Cart.add to Cart.put")
    said = [event.text for event in told if isinstance(event, events.Prose)]
    assert said == ["shop/report.py has add once, where it may be another name; check it\n"]
    files = written(session)
    assert files["desk.py"] == DESK.replace("add(", "put(")
    assert files["report.py"] == REPORT


def test_what_is_said_after_it_is_done_in_every_file(session):
    turn(session, "rename area to size")
    list(session.turns.steer("call it surface instead", stop=threading.Event()))
    files = written(session)
    assert files["cart.py"] == CART.replace("area", "surface")
    assert files["desk.py"] == DESK.replace("area", "surface")


def test_many_files_that_were_left_out_are_one_line(session):
    for number in range(6):
        (session.root / "shop" / f"more_{number}.py").write_text(REPORT)
    told = turn(session, "rename Cart.add to Cart.put")
    (said,) = [event.text for event in told if isinstance(event, events.Prose)]
    assert said == "shop/cart.py add is in 7 more files, where it may be another name; check them\n"


def test_a_file_that_does_not_parse_is_named(session):
    (session.root / "shop" / "broken.py").write_text("from shop.cart import area\n\ndef (:\n")
    told = turn(session, "rename area to size")
    assert [event.text for event in told if isinstance(event, events.Prose)] == [
        "shop/broken.py may use area and was not edited; check it\n"
    ]


def test_an_ignored_file_is_neither_read_nor_edited(session):
    (session.root / ".sparkignore").write_text("shop/desk.py\n")
    turn(session, "rename area to size")
    assert {part.path for request in session.backend.requests for part in request.files} == {"shop/cart.py"}


def test_where_it_is_not_clear_which_file_is_meant_the_likely_ones_are_named(session):
    with pytest.raises(Misfit, match="not clear") as found:
        turn(session, "make area nicer", path="")
    assert found.value.hint == "Name it: @shop/cart.py or @shop/other.py, or -f PATH."


def test_where_parameters_are_others_keywords_follow_and_calls_that_break_are_said(session):
    (session.root / "shop" / "more.py").write_text("from shop.cart import area\n\narea(width=2)\n")
    turn(session, "rename the parameter width of area to wide")
    assert written(session)["more.py"] == "from shop.cart import area\n\narea(wide=2)\n"
    told = turn(session, "add a required parameter depth to area")
    said = [event.text for event in told if isinstance(event, events.Prose)]
    assert "shop/desk.py has area once, where its parameters changed; check it\n" in said


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("shop/cart.py", "rename Cart.add to Cart.put"),
        ("shop/inventory.py", "rename Inventory.get to Inventory.find_item"),
        ("shop/inventory.py", "rename Inventory to Stock"),
        ("shop/inventory.py", "rename Item.price to Item.cost"),
        ("shop/orders.py", "rename the state field of Order to status"),
        ("shop/report.py", "rename parameter limit of best_sellers to most"),
    ],
)
def test_the_tests_of_the_shop_pass_after_a_rename(tmp_path, path, asked):
    root = tmp_path / "shop"
    shutil.copytree(paths.examples_dir() / "shop", root, ignore=shutil.ignore_patterns("__pycache__"))
    session = Session(root, Answering(), Settings(), tmp_path / "state")
    try:
        turn(session, asked, path)
        assert len({session.decisions.review.hunk(known).path for known in session.decisions.review.ids}) > 1
        for known in session.decisions.review.ids:
            session.decisions.decide(known, "accepted")
        session.changes.write()
    finally:
        session.close()
    done = subprocess.run(
        [sys.executable, "-B", "-m", "unittest", "discover", "-q", "tests"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
