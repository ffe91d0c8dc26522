"""Mode, model and effort as options of a session."""

import asyncio

import acp
import pytest
from support.acp_client import Slow, editor_of, session_of
from support.scripted_backend import Scripted
from support.serving import Saying, serving

from spark_tui.backends.factory import create_backend
from spark_tui.errors import NoBackend

CART = "shop/cart.py"
EDIT = "shop/cart.py\n<<<<<<< SEARCH\nSHIPPING = 490\n=======\nSHIPPING = {}\n>>>>>>> REPLACE\n"


def values(options):
    return {option.id: option.current_value for option in options}


def choices(options, name):
    (found,) = [option for option in options if option.id == name]
    return [option.value for option in found.options]


def ask(path):
    return [acp.text_block("do it"), acp.resource_link_block(path.name, path.as_uri())]


async def told(editor, kind):
    while not editor.of(kind):
        await asyncio.sleep(0.01)
    return editor.of(kind)[-1]


async def test_a_session_offers_its_mode_and_its_model(repo, editor, scripted):
    async with session_of(scripted, editor, repo) as (_, opened):
        pass
    categories = {option.id: option.category for option in opened.config_options}
    assert categories == {"mode": "mode", "model": "model"}
    assert values(opened.config_options)["mode"] == opened.modes.current_mode_id == "edit"
    assert values(opened.config_options)["model"] in choices(opened.config_options, "model")


async def test_a_mode_set_as_an_option_counts_and_is_told_to_clients_of_modes(repo, editor, scripted):
    async with session_of(scripted, editor, repo) as (conn, opened):
        answer = await conn.set_config_option("mode", opened.session_id, "auto")
        assert (await told(editor, "current_mode_update")).current_mode_id == "auto"
        await conn.prompt(opened.session_id, ask(repo / CART))
    assert values(answer.config_options).keys() == values(opened.config_options).keys()
    assert values(answer.config_options)["mode"] == "auto"
    assert editor.asked == []
    assert editor.written


async def test_a_mode_set_the_old_way_is_told_as_an_option(repo, editor, scripted):
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.set_session_mode(opened.session_id, "ask")
        assert values((await told(editor, "config_option_update")).config_options)["mode"] == "ask"


async def test_always_in_a_permission_is_told_as_a_new_mode(repo, editor, scripted):
    editor.decision = "always"
    async with session_of(scripted, editor, repo) as (conn, opened):
        await conn.prompt(opened.session_id, ask(repo / CART))
    assert editor.of("current_mode_update")[-1].current_mode_id == "auto"
    assert values(editor.of("config_option_update")[-1].config_options)["mode"] == "auto"


async def test_another_model_of_a_server_answers_from_the_next_prompt_on(repo, editor):
    models = {"one": Saying(EDIT.format(500)), "two": Saying(EDIT.format(700))}
    with serving(models) as live:
        connected = {"connect": live.url, "model": "one", "api": "chat", "tools": "off"}
        async with session_of(None, editor, repo, open_backend=create_backend, **connected) as (conn, opened):
            offered = (await told(editor, "config_option_update")).config_options
            (other,) = [choice for choice in choices(offered, "model") if choice.startswith("two ")]
            answer = await conn.set_config_option("model", opened.session_id, other)
            assert values(answer.config_options)["model"] == other
            await conn.prompt(opened.session_id, ask(repo / CART))
    assert "SHIPPING = 700" in (repo / CART).read_text()
    assert models["one"].requests == []


async def test_the_effort_of_a_server_is_an_option_and_reaches_the_next_model(repo, editor):
    efforts = []

    def open_backend(settings):
        efforts.append(settings.effort)
        return Scripted({})

    settings = {"open_backend": open_backend, "connect": "http://127.0.0.1:1/v1"}
    async with session_of(None, editor, repo, **settings) as (conn, opened):
        assert choices(opened.config_options, "effort") == ["default", "low", "medium", "high"]
        assert {option.id: option.category for option in opened.config_options}["effort"] == "thought_level"
        high = await conn.set_config_option("effort", opened.session_id, "high")
        again = await conn.set_config_option("effort", opened.session_id, "default")
    assert efforts == ["", "high", ""]
    assert [values(item.config_options)["effort"] for item in (high, again)] == ["high", "default"]


async def test_where_a_model_cannot_be_opened_the_one_before_stays(repo, editor, tmp_path, scripted):
    backend = scripted()

    def open_backend(settings):
        if settings.model:
            raise NoBackend("its weights are damaged")
        return backend

    folder = {"folders": (str(tmp_path),)}
    broken = tmp_path / "broken"
    broken.mkdir()
    async with session_of(None, editor, repo, open_backend=open_backend, **folder) as (conn, opened):
        with pytest.raises(acp.RequestError, match="model cannot be 'broken'"):
            await conn.set_config_option("model", opened.session_id, "broken")
        assert not backend.closed
        await conn.prompt(opened.session_id, ask(repo / CART))
    assert "SHIPPING = 500" in (repo / CART).read_text()


@pytest.mark.parametrize(
    ("option", "value"),
    [("mode", "yolo"), ("model", ""), ("effort", "high"), ("nothing", "x"), ("mode", True)],
)
async def test_an_option_or_value_that_is_not_offered_is_refused(repo, editor, scripted, option, value):
    async with session_of(scripted, editor, repo) as (conn, opened):
        with pytest.raises(acp.RequestError) as raised:
            await conn.set_config_option(option, opened.session_id, value)
    assert raised.value.code == -32602


async def test_a_model_is_not_changed_while_a_prompt_runs(repo, editor, scripted):
    async with session_of(lambda: Slow(scripted()), editor, repo) as (conn, opened):
        model = values(opened.config_options)["model"]
        running = asyncio.ensure_future(conn.prompt(opened.session_id, ask(repo / CART)))
        await told(editor, "agent_message_chunk")
        with pytest.raises(acp.RequestError, match="a prompt is running"):
            await conn.set_config_option("model", opened.session_id, model)
        await conn.set_config_option("mode", opened.session_id, "ask")
        await running
    assert editor.asked == []
    assert editor.written == []


async def test_options_outlive_the_connection_even_of_a_session_without_prompts(repo, editor, scripted):
    opened = []

    def open_backend(settings):
        opened.append(settings.effort)
        return scripted()

    server = {"connect": "http://127.0.0.1:1/v1", "open_backend": open_backend}
    async with editor_of(None, editor, **server) as conn:
        session_id = (await conn.new_session(str(repo))).session_id
        await conn.set_config_option("mode", session_id, "ask")
        await conn.set_config_option("effort", session_id, "high")
    async with editor_of(None, editor, **server) as conn:
        loaded = await conn.load_session(str(repo), session_id)
        await conn.prompt(session_id, ask(repo / CART))
    assert values(loaded.config_options)["mode"] == loaded.modes.current_mode_id == "ask"
    assert values(loaded.config_options)["effort"] == "high"
    assert opened == ["", "high", "high"]
    assert editor.written == []


async def test_where_the_model_of_a_session_is_gone_the_one_of_the_settings_answers(repo, editor, scripted):
    def open_backend(settings):
        if settings.effort and gone:
            raise NoBackend("the server is gone")
        return scripted()

    gone = False
    server = {"connect": "http://127.0.0.1:1/v1", "open_backend": open_backend}
    async with editor_of(None, editor, **server) as conn:
        session_id = (await conn.new_session(str(repo))).session_id
        await conn.set_config_option("effort", session_id, "high")
    gone = True
    async with editor_of(None, editor, **server) as conn:
        loaded = await conn.load_session(str(repo), session_id)
    assert values(loaded.config_options)["effort"] == "default"
