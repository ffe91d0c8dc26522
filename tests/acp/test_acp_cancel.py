"""A cancel that comes at an unusual moment: nothing is written, and the prompt says `cancelled`."""

import asyncio

import acp
import pytest
from support.acp_client import session_of

CART = "shop/cart.py"


def text(root, said):
    return [acp.text_block(said), acp.resource_link_block("cart", (root / CART).as_uri())]


@pytest.mark.parametrize("said", ["do it", "/rename shop_total total", "/undo"])
async def test_a_cancel_right_behind_its_prompt_is_heard(repo, editor, scripted, said):
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.set_session_mode(opened.session_id, "auto")
        if said == "/undo":
            await conn.prompt(opened.session_id, text(repo, "do it"))
        before = (repo / CART).read_bytes()
        asked = asyncio.ensure_future(conn.prompt(opened.session_id, text(repo, said)))
        await asyncio.sleep(0)  # the prompt is sent
        await conn.cancel(opened.session_id)
        assert (await asyncio.wait_for(asked, 10)).stop_reason == "cancelled"
    assert (repo / CART).read_bytes() == before


async def test_a_cancel_while_the_answer_is_checked_writes_nothing(repo, editor, scripted, monkeypatch):
    """What a stopped check has not marked is not unmarked."""
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.set_session_mode(opened.session_id, "auto")
        loop = asyncio.get_running_loop()

        def check(_, *, stop):
            asyncio.run_coroutine_threadsafe(conn.cancel(opened.session_id), loop)
            assert stop.wait(60)
            return ()

        monkeypatch.setattr("spark_tui.session.session.Session.check_answer", check)
        done = await conn.prompt(opened.session_id, text(repo, "do it"))
        assert done.stop_reason == "cancelled"
        assert editor.written == []
        await conn.prompt(opened.session_id, [acp.text_block("/write")])
    assert "SHIPPING = 500" in (repo / CART).read_text()


async def test_cancel_ends_the_wait_for_a_permission(repo, editor, scripted):
    async with session_of(scripted, editor, repo) as (conn, opened):

        async def never():
            await conn.cancel(opened.session_id)
            await asyncio.sleep(30)

        editor.decision = lambda _: never()
        done = await asyncio.wait_for(conn.prompt(opened.session_id, text(repo, "do it")), 10)
    assert done.stop_reason == "cancelled"
    assert editor.written == []


async def test_cancel_ends_the_wait_for_a_file_of_the_editor(repo, editor, scripted):
    async def never(session_id, **_):
        await conn.cancel(session_id)
        await asyncio.sleep(30)

    editor.read_text_file = never
    async with session_of(scripted, editor, repo) as (conn, opened):
        done = await asyncio.wait_for(conn.prompt(opened.session_id, text(repo, "do it")), 10)
    assert done.stop_reason == "cancelled"
    assert editor.written == []
