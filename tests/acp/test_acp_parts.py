"""Edits of several files of which the person allows only some."""

import acp
import pytest
from support.acp_client import session_of
from support.scripted_backend import Scripted

CART = "shop/cart.py"


def text(said, *files):
    links = [acp.resource_link_block(path.name, path.as_uri()) for path in files]
    return [acp.text_block(said), *links]


async def test_each_file_is_asked_about_and_a_rejected_one_is_not_written(repo, editor, scripted):
    prices = (repo / "shop/prices.py").read_text()
    editor.decision = lambda call: "reject" if "prices" in call.title else "allow"
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("both", repo / CART, repo / "shop/prices.py"))
    assert editor.calls() == {f"Edit {CART}": "completed", "Edit shop/prices.py": "failed"}
    assert (repo / "shop/prices.py").read_text() == prices
    assert "SHIPPING = 500" in (repo / CART).read_text()


@pytest.mark.parametrize(("option", "written"), [("allow", True), ("reject", False), ("cancelled", False)])
async def test_a_part_that_breaks_something_without_the_rest_is_asked_about_again(
    repo, editor, option, written
):
    answer = ""
    both = [repo / "shop/prices.py", repo / "shop/discounts.py"]
    for path, old in zip(both, ("def percent_of(", "prices.percent_of("), strict=True):
        lines = path.read_text().splitlines()
        at = next(number for number, line in enumerate(lines, 1) if old in line)
        answer += (
            f"*** shop/{path.name}\n@@ {at},{at + 1}\n+{lines[at - 1].replace('percent_of', 'share_of')}\n\n"
        )
    before = [path.read_text() for path in both]
    editor.decision = lambda call: (
        option if "without" in call.title else "reject" if "discounts" in call.title else "allow"
    )
    async with session_of(lambda: Scripted({"rename it": answer}), editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("rename it", *both))
    assert "discounts.py:22" in editor.asked[-1].title and "percent_of" in editor.asked[-1].title
    assert ["share_of" in path.read_text() for path in both] == [written, False]
    assert both[1].read_text() == before[1]
    assert editor.calls()["Edit shop/prices.py"] == ("completed" if written else "failed")
