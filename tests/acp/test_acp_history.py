"""What an editor hears of edits that wait, and of those that do not any more."""

import acp
import pytest
from support.acp_client import session_of

CART = "shop/cart.py"


async def test_writing_what_waits_says_so_where_nothing_waits(repo, editor, scripted):
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, [acp.text_block("/write")])
        assert "no edit waits for a decision" in editor.said


@pytest.mark.parametrize("undone", [True, False])
async def test_edits_that_were_rejected_or_undone_do_not_wait_in_a_session_that_is_opened_again(
    repo, editor, scripted, undone
):
    link = acp.resource_link_block("cart.py", (repo / CART).as_uri())
    editor.decision = "allow" if undone else "reject"
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, [acp.text_block("do it"), link])
        if undone:
            await conn.prompt(opened.session_id, [acp.text_block("/undo")])
        await conn.close_session(opened.session_id)
        editor.updates.clear()
        await conn.load_session(str(repo), opened.session_id)
    assert editor.calls() == {f"Edit {CART}": "failed"}
    (call,) = editor.of("tool_call")
    assert call.raw_output == {"reason": "undone" if undone else "rejected"}


async def test_an_undo_over_lines_that_were_typed_since_is_refused_in_words(repo, editor, scripted):
    cart = repo / "shop/cart.py"
    async with session_of(scripted, editor, repo) as (conn, opened):
        link = acp.resource_link_block("cart", cart.as_uri())
        await conn.prompt(opened.session_id, [acp.text_block("do it"), link])
        typed = editor.buffers[str(cart)] = cart.read_text().replace("SHIPPING = 500", "SHIPPING = 1")
        done = await conn.prompt(opened.session_id, [acp.text_block("/undo")])
    assert done.stop_reason == "end_turn"
    assert "changed in the same lines" in editor.said
    assert editor.buffers[str(cart)] == typed
