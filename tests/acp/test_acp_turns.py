"""Prompts of an editor: edits are shown, decided and written through it; turns stop, are steered, resumed."""

import threading

import acp
import pytest
from support.acp_client import Slow, session_of
from support.scripted_backend import Scripted
from support.tool_backend import Call, ToolBackend

from spark_tui.acp.client_files import ClientWriter
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

CART = "shop/cart.py"


def text(said, *files):
    links = [acp.resource_link_block(path.name, path.as_uri()) for path in files]
    return [acp.text_block(said), *links]


async def test_an_edit_is_shown_as_a_diff_asked_about_and_written_through_the_editor(repo, editor, scripted):
    cart = repo / CART
    before = cart.read_text()
    async with session_of(scripted, editor, repo) as (conn, opened):
        done = await conn.prompt(opened.session_id, text("do it", cart))
    after = before.replace("= 4900", "= 5000").replace("= 490\n", "= 500\n")
    assert done.stop_reason == "end_turn"
    assert done.usage.output_tokens > 0
    assert editor.said == "Well then.\n"
    assert [call.title for call in editor.asked] == [f"Edit {CART}"]
    assert editor.diffs() == [(str(cart), before, after)]
    assert editor.written == [(str(cart), after)]
    assert cart.read_text() == after
    assert editor.calls() == {f"Edit {CART}": "completed"}
    assert [location.line for call in editor.of("tool_call") for location in call.locations] == [6]


async def test_without_a_file_system_of_the_editor_the_disk_is_written(repo, editor, scripted):
    async with session_of(scripted, editor, repo, reads=False, writes=False) as (conn, opened):
        await conn.prompt(opened.session_id, text("do it", repo / CART))
    assert editor.written == []
    assert "SHIPPING = 500" in (repo / CART).read_text()


async def test_a_file_that_the_editor_does_not_show_is_not_written_through_it(repo, editor, scripted):
    cart = repo / CART
    typed = editor.buffers[str(cart)] = cart.read_text() + "# not saved yet\n"

    async def fails(session_id, path, line=None, limit=None, **_):
        raise acp.RequestError.internal_error({"details": "busy"})

    editor.read_text_file = fails
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("do it", cart))
    assert editor.buffers[str(cart)] == typed and editor.written == []
    assert "SHIPPING = 500" in cart.read_text()


async def test_unsaved_buffers_are_read_and_kept(repo, editor, scripted):
    cart = repo / CART
    saved = cart.read_text()
    editor.buffers[str(cart)] = saved + "# not saved yet\n"
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("do it", cart))
        assert editor.diffs()[0][1] == saved + "# not saved yet\n"
        assert editor.buffers[str(cart)].endswith("# not saved yet\n")
        assert "SHIPPING = 500" in editor.buffers[str(cart)]
        await conn.prompt(opened.session_id, text("/undo"))
    assert editor.buffers[str(cart)] == saved + "# not saved yet\n"


async def test_what_is_typed_while_the_answer_comes_is_merged(repo, editor, scripted):
    cart = repo / CART

    async def type_on(update):
        if update.session_update == "tool_call":
            editor.buffers[str(cart)] = cart.read_text() + "# typed meanwhile\n"

    editor.on_update = type_on
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("do it", cart))
    assert "SHIPPING = 500" in editor.buffers[str(cart)]
    assert editor.buffers[str(cart)].endswith("# typed meanwhile\n")


async def test_what_is_typed_between_the_plan_and_the_write_is_merged(repo, editor, scripted, monkeypatch):
    cart, put = repo / CART, ClientWriter._put

    def typed_before(writer, ready):
        editor.buffers.setdefault(str(cart), cart.read_text() + "# typed meanwhile\n")
        return put(writer, ready)

    monkeypatch.setattr(ClientWriter, "_put", typed_before)
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("do it", cart))
    assert "SHIPPING = 500" in editor.buffers[str(cart)]
    assert editor.buffers[str(cart)].endswith("# typed meanwhile\n")


async def test_the_same_line_typed_meanwhile_is_not_overwritten(repo, editor, scripted):
    cart = repo / CART
    typed = cart.read_text().replace("SHIPPING = 490", "SHIPPING = 1")
    editor.decision = lambda _: editor.buffers.update({str(cart): typed}) or "allow"
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("do it", cart))
    assert editor.written == []
    assert editor.buffers[str(cart)] == typed
    assert editor.calls() == {f"Edit {CART}": "failed"}
    assert "Nothing was written" in editor.said


@pytest.mark.parametrize("count", [-1, 1, 5])
async def test_carriage_returns_of_the_disk_are_kept(repo, editor, scripted, count):
    cart = repo / CART
    cart.write_bytes(before := cart.read_bytes().replace(b"\n", b"\r\n", count))
    editor.buffers[str(cart)] = cart.read_text()  # as an editor has it: line feeds alone
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("do it", cart))
    assert b"SHIPPING = 500" in cart.read_bytes()
    assert cart.read_bytes().count(b"\r\n") == before.count(b"\r\n")


async def test_where_one_file_cannot_be_written_none_is(repo, editor, scripted):
    both = [repo / CART, repo / "shop/prices.py"]
    before = [path.read_text() for path in both]
    editor.fails_to_write = "prices.py"
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("both", *both))
    assert [path.read_text() for path in both] == before
    assert set(editor.calls().values()) == {"failed"}


@pytest.mark.parametrize(
    ("mode", "asks", "writes"), [("ask", 0, False), ("edit", 1, True), ("auto", 0, True)]
)
async def test_the_mode_says_who_is_asked_and_what_is_written(repo, editor, scripted, mode, asks, writes):
    async with session_of(scripted, editor, repo) as (conn, opened):
        assert [item.id for item in opened.modes.available_modes] == ["ask", "edit", "auto"]
        await conn.set_session_mode(opened.session_id, mode)
        await conn.prompt(opened.session_id, text("do it", repo / CART))
        assert len(editor.asked) == asks
        assert bool(editor.written) == writes
        if mode == "ask":
            await conn.set_session_mode(opened.session_id, "auto")
            await conn.prompt(opened.session_id, text("/write"))
            assert editor.written


async def test_auto_asks_about_an_edit_that_a_check_marked(repo, editor):
    broken = {"do it": "*** shop/cart.py\n@@ 7,8\n+COSTS = 500\n"}
    async with session_of(lambda: Scripted(broken), editor, repo) as (conn, opened):
        await conn.set_session_mode(opened.session_id, "auto")
        await conn.prompt(opened.session_id, text("do it", repo / CART))
    assert "check it" in editor.asked[0].title
    assert "SHIPPING" in editor.asked[0].title


async def test_cancel_inside_an_edit_keeps_closed_hunks_which_another_prompt_resumes(repo, editor, scripted):
    cart = repo / CART
    async with session_of(lambda: Slow(scripted()), editor, repo) as (conn, opened):

        async def cancel(update):
            if update.session_update == "tool_call":
                await conn.cancel(opened.session_id)

        editor.on_update = cancel
        done = await conn.prompt(opened.session_id, text("do it", cart))
        assert done.stop_reason == "cancelled"
        assert editor.written == []
        assert editor.asked == []
        editor.on_update = None
        done = await conn.prompt(opened.session_id, text("/resume"))
    assert done.stop_reason == "end_turn"
    assert "FREE_SHIPPING_FROM = 5000\nSHIPPING = 500\n" in cart.read_text()


async def test_a_message_steers_the_running_turn(repo, editor, scripted):
    async with session_of(lambda: Slow(scripted()), editor, repo) as (conn, opened):
        said = []

        async def steer(update):
            if update.session_update == "tool_call" and not said:
                what = {"sessionId": opened.session_id, "message": "no, other"}
                said.append(await conn.ext_method("session/steering", what))

        editor.on_update = steer
        done = await conn.prompt(opened.session_id, text("do it", repo / CART))
    assert said == [{"accepted": True}]
    assert done.stop_reason == "end_turn"
    assert "SHIPPING = 700" in (repo / CART).read_text()


async def test_a_cancelled_permission_cancels_the_prompt_and_keeps_the_edit(repo, editor, scripted):
    editor.decision = "cancelled"
    async with session_of(scripted, editor, repo) as (conn, opened):
        done = await conn.prompt(opened.session_id, text("do it", repo / CART))
        assert done.stop_reason == "cancelled"
        assert editor.written == []
        editor.decision = "allow"
        await conn.prompt(opened.session_id, text("/write"))
    assert "SHIPPING = 500" in (repo / CART).read_text()


async def test_slash_commands_edit_exactly_undo_and_redo(repo, editor, scripted):
    cart = repo / CART
    before = cart.read_text()
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("/rename Cart.add put"))
        assert "def put(self" in cart.read_text()
        assert len(editor.written) == 4
        await conn.prompt(opened.session_id, text("/undo"))
        assert cart.read_text() == before
        await conn.prompt(opened.session_id, text("/redo"))
        assert "def put(self" in cart.read_text()
        wrong = await conn.prompt(opened.session_id, text("/rename Cart.nothing put"))
        asked = len(editor.written)
        await conn.prompt(opened.session_id, text("/rname Cart.add get"))
        await conn.prompt(opened.session_id, text("/nonsense"))
    names = {command.name for command in editor.of("available_commands_update")[0].available_commands}
    assert {"rename", "undo", "resume", "write"} <= names
    assert wrong.stop_reason == "end_turn"
    assert "nothing" in editor.said
    assert "no command /rname" in editor.said and "Did you mean /rename?" in editor.said
    assert "no command /nonsense" in editor.said
    assert len(editor.written) == asked


async def test_a_rename_reads_unsaved_buffers_that_were_named_before(repo, editor, scripted):
    cart = repo / CART
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("talk", cart))
        editor.buffers[str(cart)] = cart.read_text() + "\n\ndef unsaved(cart):\n    return Cart.add(cart)\n"
        await conn.prompt(opened.session_id, text("/rename Cart.add put"))
    assert editor.buffers[str(cart)].endswith("return Cart.put(cart)\n")


@pytest.mark.parametrize("said", ["/rename Cart.add put", "rename Cart.add to put"])
async def test_a_rename_reads_unsaved_buffers_that_nobody_named(repo, editor, said):
    cart, cli = repo / CART, repo / "shop/cli.py"
    editor.buffers[str(cli)] = cli.read_text() + "\n\ndef unsaved(cart: Cart):\n    cart.add('tea')\n"
    backend = Scripted({})
    backend.small_window = (320, 300)  # like the built-in model, for which the reader answers
    async with session_of(lambda: backend, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text(said))
    assert "def put(self" in cart.read_text()
    assert editor.buffers[str(cli)].endswith("cart.put('tea')\n")
    assert editor.calls()["Edit shop/cli.py"] == "completed"


async def test_a_model_that_reads_a_file_gets_its_unsaved_buffer(repo, editor):
    cart = repo / CART
    editor.buffers[str(cart)] = "NOT_SAVED = 1\n" + cart.read_text()
    backend = ToolBackend([Call("read_file", path=CART)], "Done.")
    async with session_of(lambda: backend, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("what is in the cart?"))
    (ended,) = [item for item in editor.of("tool_call_update") if item.status == "completed"]
    assert "NOT_SAVED" in ended.content[0].content.text


async def test_a_session_of_the_editor_goes_on_in_the_terminal_and_back(repo, editor, scripted):
    async with session_of(lambda: Slow(scripted()), editor, repo) as (conn, opened):

        async def cancel(update):
            if update.session_update == "tool_call":
                await conn.cancel(opened.session_id)

        editor.on_update = cancel
        await conn.prompt(opened.session_id, text("do it", repo / CART))
        await conn.close_session(opened.session_id)
        state = paths.repository_state_dir(repo)
        there = Session(repo, scripted(), Settings(), state, session_id=opened.session_id)
        assert [hunk.new_lines for hunk in there.decisions.unwritten()] in (
            [],
            [("FREE_SHIPPING_FROM = 5000",)],
        )
        assert there.turns.can_resume
        list(there.turns.resume(stop=threading.Event()))
        assert len(there.decisions.unwritten()) == 2
        there.close()
        editor.on_update = None
        editor.updates.clear()
        await conn.load_session(str(repo), opened.session_id)
        assert [item.content.text for item in editor.of("user_message_chunk")] == ["do it"]
        assert editor.calls() == {f"Edit {CART}": "pending"}
        await conn.prompt(opened.session_id, text("/write"))
        listed = await conn.list_sessions(cwd=str(repo))
    assert "SHIPPING = 500" in (repo / CART).read_text()
    assert [(session.session_id, session.title) for session in listed.sessions] == [
        (opened.session_id, "do it")
    ]


@pytest.mark.parametrize(("decision", "ran"), [("once", True), ("no", False), ("cancelled", False)])
async def test_the_editor_asks_before_a_model_runs_a_command(repo, editor, decision, ran):
    editor.decision = decision
    backend = ToolBackend([Call("run", command="echo seen; ls shop")], "Done.")
    async with session_of(lambda: backend, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, text("run it"))
    assert [(item.kind, item.content[0].content.text) for item in editor.asked] == [
        ("execute", "echo seen; ls shop")
    ]
    (begun,) = [item for item in editor.of("tool_call") if item.title == "run"]
    (ended,) = [item for item in editor.of("tool_call_update") if item.tool_call_id == begun.tool_call_id]
    assert (begun.kind, begun.status) == ("execute", "in_progress")
    assert ended.status == ("completed" if ran else "failed")
    assert ("seen" in ended.content[0].content.text) is ran
