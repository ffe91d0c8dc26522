"""What an editor hears of edits that wait, and of those that do not any more."""

import acp
import pytest
from support.acp_client import session_of

from spark_tui.config.paths import repository_state_dir

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


async def test_a_damaged_session_is_opened_as_a_copy_under_the_name_that_the_editor_knows(
    repo, editor, scripted
):
    editor.decision = "reject"
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, [acp.text_block("talk")])
        await conn.prompt(opened.session_id, [acp.text_block("talk")])
        await conn.close_session(opened.session_id)
        journal = repository_state_dir(repo) / "sessions" / opened.session_id / "journal.jsonl"
        lines = journal.read_bytes().split(b"\n")
        lines[-3] = lines[-3].replace(b"}", b")", 1)
        journal.write_bytes(damaged := b"\n".join(lines))
        editor.updates.clear()
        await conn.load_session(str(repo), opened.session_id)
        link = acp.resource_link_block("cart.py", (repo / CART).as_uri())
        done = await conn.prompt(opened.session_id, [acp.text_block("do it"), link])
        await conn.close_session(opened.session_id)
    assert "is damaged in line" in editor.said
    assert "a copy of what stands before it" in editor.said
    assert {session_id for session_id, _ in editor.updates} == {opened.session_id}
    assert (done.stop_reason, len(editor.asked)) == ("end_turn", 1)
    assert journal.read_bytes() == damaged, "the damaged one is left as it is"
