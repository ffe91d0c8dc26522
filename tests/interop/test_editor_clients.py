"""Clients of others drive `spark acp` as a program: acpx, and the example of the protocol's SDK."""

import asyncio
import importlib.util
import json
import subprocess
import sys

import pytest
from support.interop_tools import acp_examples, acpx
from support.job_runs import record

acp = pytest.importorskip("acp")

pytestmark = pytest.mark.interop

CART = "shop/cart.py"
SPARK = [sys.executable, "-m", "spark_tui", "acp"]
DEAR, CHEAP = "make shipping dearer", "no, only a little"
TWO = "*** shop/cart.py\n@@ 6,7\n+FREE_SHIPPING_FROM = 5000\n\n@@ 7,8\n+SHIPPING = 500\n"


@pytest.fixture
def answers(tmp_path):
    """Recorded answers, which come slowly enough for something to be said in between."""
    folder = tmp_path / "answers"
    folder.mkdir()
    record(folder, 1, DEAR, TWO)
    record(folder, 2, CHEAP, "*** shop/cart.py\n@@ 7,8\n+SHIPPING = 495\n")
    for path in folder.iterdir():
        head, body = map(json.loads, path.read_text().splitlines())
        pieces = [body["text"][at : at + 2] for at in range(0, len(body["text"]), 2)]
        rows = [head, *({"t": 0.1 * number, "text": text} for number, text in enumerate(pieces))]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["--replay", str(folder), "--pace", "recorded"]


# -- acpx


@pytest.fixture
def run_acpx(repo, answers):
    program = acpx()
    agent = " ".join([*SPARK, *answers])
    head = [*program, "--agent", agent, "--cwd", repo, "--approve-all", "--format", "json"]

    def start(*words):
        whole = [str(word) for word in (*head, *words)]
        return subprocess.Popen(whole, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(*words):
        """The messages that it shows of the conversation."""
        process = start(*words)
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, out + errors
        return [json.loads(line) for line in out.splitlines()]

    run.start = start
    yield run
    subprocess.run([*head[:-2], "sessions", "close"], cwd=repo, check=False, capture_output=True, timeout=60)


def reason(messages):
    return next(
        message["result"]["stopReason"] for message in messages if "stopReason" in message.get("result", {})
    )


def test_acpx_makes_an_edit(repo, run_acpx):
    assert reason(run_acpx("exec", "/rename Cart.add put")) == "end_turn"
    assert "def put(self" in (repo / CART).read_text()


def test_acpx_cancels_inside_an_edit_and_resumes_it(repo, run_acpx):
    before = (repo / CART).read_text()
    run_acpx("sessions", "new")
    with run_acpx.start("prompt", f"{DEAR} in @{CART}") as process:
        for line in process.stdout:
            if '"tool_call"' in line:
                break
        run_acpx("cancel")
        rest = [json.loads(line) for line in process.stdout]
    assert reason(rest) == "cancelled"
    assert (repo / CART).read_text() == before
    assert reason(run_acpx("prompt", "/resume")) == "end_turn"
    assert "FREE_SHIPPING_FROM = 5000\nSHIPPING = 500\n" in (repo / CART).read_text()


def test_acpx_sets_options(repo, run_acpx):
    run_acpx("sessions", "new")
    run_acpx("set", "mode", "ask")
    before = (repo / CART).read_text()
    run_acpx("prompt", "/rename Cart.add put")
    assert (repo / CART).read_text() == before
    run_acpx("set-mode", "auto")
    run_acpx("prompt", "/write")
    assert "def put(self" in (repo / CART).read_text()


# -- the SDK's example


@pytest.fixture
def example():
    """The module of its example client that can read, write and allow."""
    spec = importlib.util.spec_from_file_location("acp_example", acp_examples() / "gemini.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def drive(example, repo, answers, do, on_edit=None):
    """Start spark as a program, and let `do` talk with it over the example's client."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*SPARK, *answers, cwd=repo, stdin=pipe, stdout=pipe)

    class Client(example.GeminiClient):
        async def session_update(self, session_id, update, **more):
            await super().session_update(session_id, update, **more)
            if on_edit is not None and update.session_update == "tool_call":
                await on_edit(conn, session_id)

    conn = acp.connect_to_agent(Client(auto_approve=True), process.stdin, process.stdout)
    fs = acp.schema.FileSystemCapabilities(read_text_file=True, write_text_file=True)
    await conn.initialize(acp.PROTOCOL_VERSION, acp.schema.ClientCapabilities(fs=fs))
    try:
        return await do(conn)
    finally:
        process.stdin.close()
        await asyncio.wait_for(process.wait(), 30)


def said(text):
    return [acp.text_block(f"{text} in @{CART}" if not text.startswith("/") else text)]


async def test_the_example_client_makes_an_edit(example, repo, answers):
    async def do(conn):
        opened = await conn.new_session(str(repo))
        return await conn.prompt(opened.session_id, said(DEAR))

    assert (await drive(example, repo, answers, do)).stop_reason == "end_turn"
    assert "SHIPPING = 500" in (repo / CART).read_text()


async def test_the_example_client_cancels_inside_an_edit_and_another_process_resumes_it(
    example, repo, answers
):
    async def cancel(conn, session_id):
        await conn.cancel(session_id)

    async def begin(conn):
        opened = await conn.new_session(str(repo))
        done = await conn.prompt(opened.session_id, said(DEAR))
        return opened.session_id, done.stop_reason

    session_id, ended = await drive(example, repo, answers, begin, cancel)
    assert ended == "cancelled"
    assert "SHIPPING = 490" in (repo / CART).read_text()

    async def resume(conn):
        await conn.load_session(str(repo), session_id)
        return await conn.prompt(session_id, said("/resume"))

    assert (await drive(example, repo, answers, resume)).stop_reason == "end_turn"
    assert "FREE_SHIPPING_FROM = 5000\nSHIPPING = 500\n" in (repo / CART).read_text()


async def test_the_example_client_steers_a_running_edit(example, repo, answers):
    steered = []

    async def steer(conn, session_id):
        if not steered:
            steered.append(True)
            what = {"sessionId": session_id, "message": CHEAP}
            assert await conn.ext_method("session/steering", what) == {"accepted": True}

    async def do(conn):
        opened = await conn.new_session(str(repo))
        return await conn.prompt(opened.session_id, said(DEAR))

    assert (await drive(example, repo, answers, do, steer)).stop_reason == "end_turn"
    assert "SHIPPING = 495" in (repo / CART).read_text()
