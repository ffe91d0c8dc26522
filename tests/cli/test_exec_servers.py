"""`spark exec` with a connected model that fails: what it says, its exit code, and that no key leaks."""

import json

import pytest
from support.failing_servers import EDIT, FAILURES, PIECES
from support.scripted_model import Answer, Call, ScriptedModel, Think, refuse

from spark_tui.cli import main
from spark_tui.config import paths
from spark_tui.errors import ExitCode

KEY = "sk-very-secret-key-0123456789"


@pytest.fixture
def far(run, monkeypatch):
    """Run `spark exec` with the model of a server. Exit code, stdout, stderr."""
    monkeypatch.setenv("SPARK_MODEL_STALL_SECONDS", "1")

    def far(server, *words, api="chat"):
        model = ["--connect", server.url, "--model", "m", "--api", api]
        asked = [] if "--resume" in words else ["free shipping from 5900", "-f", "shop/cart.py"]
        return run("exec", *asked, *model, *words)

    return far


@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_server_is_told_with_a_code(name, far):
    failure = FAILURES[name]
    with ScriptedModel(failure.answer) as server:
        code, out, err = far(server)
    assert all(part in err for part in failure.says), err
    assert code in (ExitCode.NO_BACKEND, ExitCode.REFUSED, ExitCode.MALFORMED)
    assert "nothing to change" not in err and "Traceback" not in err
    assert not out
    if failure.resumes:
        with ScriptedModel(Answer("" if failure.hunks else "".join(PIECES[4:]))) as server:
            code, out, err = far(server, "--resume", "last")
        assert "+FREE_SHIPPING_FROM = 5900" in out, err


def test_a_pause_is_told_on_stderr_and_in_the_events(far):
    with ScriptedModel(
        refuse(429, {"error": {"message": "slow down"}}, retry_after="0.6"), Answer(EDIT)
    ) as server:
        code, out, err = far(server)
        assert code == 0 and "+FREE_SHIPPING_FROM = 5900" in out
        assert "slow down; asking again in 1 s (attempt 2)" in err
    with ScriptedModel(refuse(429, {}, retry_after="0.6"), Answer(Think("hm"), EDIT)) as server:
        _, out, err = far(server, "--json")
        rows = [json.loads(line) for line in out.splitlines()]
        assert [row["attempt"] for row in rows if row["type"] == "Retrying"] == [1]
        assert [row["text"] for row in rows if row["type"] == "Reasoning"] == ["hm"]
        assert rows[-1]["usage"]["output_tokens"] == 7


def test_cost_is_in_the_events_and_in_the_statistics(far, capsys):
    config = paths.user_config_file()
    config.parent.mkdir(parents=True)
    config.write_text('[model.prices]\nm = "1/10/0.5"\n')
    with ScriptedModel(Answer(EDIT, usage=(1_000_000, 400_000, 100_000, 0))) as server:
        _, out, _ = far(server, "--json")
    assert json.loads(out.splitlines()[-1])["usage"]["cost"] == pytest.approx(0.6 + 0.2 + 1.0)
    assert main.main(["stats", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cost"] == pytest.approx(1.8) and list(found["cost_by_session"].values()) == [1.8]
    assert found["tokens"] == {"prompt": 1_000_000, "output": 100_000, "reasoning": 0}
    main.main(["stats"])
    assert "cost" in capsys.readouterr().out


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
def test_a_key_is_in_no_output_and_in_no_file(api, far, repo, empty_home, monkeypatch, capsys):
    monkeypatch.setenv("SPARK_API_KEY", KEY)
    monkeypatch.setattr("spark_tui.backends.remote.retries._OVERLOADED_SECONDS", 0.01)
    words = {"error": {"message": f"Incorrect API key provided: {KEY}."}}
    shown = ""
    for answer in (Answer(EDIT), refuse(401, words), refuse(429, words)):
        with ScriptedModel(answer) as server:
            shown += "".join(map(str, far(server, "--json", api=api)))
            sent = " ".join(server.asked[-1][1].values())
            assert KEY in sent
    with ScriptedModel(Answer("x")) as server:
        for command in (["connect"], ["connect", server.url, "--test", "--save", "--api", api], ["doctor"]):
            main.main(command)
    shown += "".join(capsys.readouterr())
    main.main(["sessions", "list"])
    session = capsys.readouterr().out.split()[0]
    main.main(["sessions", "export", session])
    shown += "".join(capsys.readouterr())
    # Not in the assertion itself: pytest would compare the texts for minutes.
    leaks = KEY in shown
    assert "in SPARK_API_KEY" in shown and not leaks
    held = [path for root in (empty_home, repo) for path in root.rglob("*") if path.is_file()]
    assert len(held) > 10
    assert not [path for path in held if KEY.encode() in path.read_bytes()]


def test_a_further_turn_says_which_hunks_it_builds_on_that_are_not_in_it(far):
    block = "shop/cart.py\n```\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n```\n"
    head = "class Cart:\n"
    with ScriptedModel(Answer(block.format(head, f"RATE = 1\n\n\n{head}"))) as server:
        code, out, err = far(server)
        assert code == 0 and "+RATE = 1" in out and "earlier turns" not in err, err
    with ScriptedModel(Answer(block.format("RATE = 1\n", "RATE = 1\nTAX = 2\n"))) as server:
        code, out, err = far(server, "and a tax", "--resume", "last")
        assert code == 0 and "+TAX = 2" in out and "+RATE = 1" in out and "earlier turns" not in err, err
    line = "        self.lines = {}\n"
    with ScriptedModel(Answer(block.format(line, line.replace("{}", "dict()")))) as server:
        code, out, err = far(server, "use dict", "--resume", "last")
        assert code == 0 and "+RATE = 1" not in out
        assert "it is without 1 hunk of earlier turns (shop/cart.py:" in err


def test_a_turn_that_failed_at_once_is_not_given_to_another_model(far, run):
    with ScriptedModel(refuse(400, {"error": {"message": "bad request"}})) as server:
        assert far(server)[0] != 0
        code, out, err = run("exec", "--resume", "last")
        assert code == ExitCode.MALFORMED and not out
        assert "the turn was written by" in err
    with ScriptedModel(Answer(EDIT)) as server:
        assert "+FREE_SHIPPING_FROM = 5900" in far(server, "--resume", "last")[1]


def test_an_answer_that_its_server_cuts_off_gets_as_many_tokens_again_in_another_process(far):
    with ScriptedModel(Answer(*PIECES[:4], reason="length")) as server:
        assert far(server)[0] == ExitCode.INTERRUPTED
        first = server.bodies[-1]["max_tokens"]
    with ScriptedModel(Answer(*PIECES[4:])) as server:
        code, out, err = far(server, "--resume", "last")
        assert code == 0 and "+FREE_SHIPPING_FROM = 5900" in out, err
        assert server.bodies[-1]["max_tokens"] == first


@pytest.mark.parametrize("way", [(), ("--apply",)])
def test_hunks_that_fit_beside_one_that_does_not_are_named(far, repo, way):
    wrong = EDIT.replace("SEARCH\nFREE", "SEARCH\nNO_FREE")
    with ScriptedModel(Answer(EDIT, wrong.replace("cart", "cli")), Answer("I cannot.\n")) as server:
        code, out, err = far(server, *way)
    assert (code, out) == (ExitCode.MISFIT, "")
    assert "1 complete hunk kept, none was written; to review: spark --session 2" in err
    assert "5900" not in (repo / "shop/cart.py").read_text()


def test_a_failure_after_an_edit_says_what_is_kept_and_how_to_go_on(far, repo):
    edit = {"path": "shop/cart.py", "old": "FREE_SHIPPING_FROM = 4900", "new": "FREE_SHIPPING_FROM = 5900"}
    busy = refuse(429, {"error": {"message": "slow down"}}, retry_after="3600")
    with ScriptedModel(Answer(Call("edit", json.dumps(edit))), busy) as server:
        code, out, err = far(server, "--apply")
    assert (code, out) == (ExitCode.NO_BACKEND, "")
    assert (
        "the server asks to wait 1 h: slow down" in err
        and "To go on from there: spark exec --resume 2" in err
    )
    assert "1 complete hunk kept, none was written; to review: spark --session 2" in err
    with ScriptedModel(Answer("Done.\n")) as server:
        code, _, err = far(server, "--resume", "last", "--apply")
    assert code == ExitCode.DONE, err
    assert "FREE_SHIPPING_FROM = 5900" in (repo / "shop/cart.py").read_text()


@pytest.mark.parametrize("how", ["--apply", "--commit"])
def test_a_hunk_of_a_file_that_git_ignores_is_marked_and_the_review_is_named_where_it_holds_up_the_rest(
    far, repo, how
):
    (repo / ".gitignore").write_text("*.log\n")
    with ScriptedModel(Answer(EDIT, "notes.log\n```\nfree from 5900\n```\n")) as server:
        code, out, err = far(server, how)
    assert (code, out) == (ExitCode.REFUSED, "")
    assert "notes.log:1: check this hunk: cannot be written: git ignores this file" in err
    assert "Nothing was written." in err and "To review the hunks: spark --session 2" in err
    assert "5900" not in (repo / "shop/cart.py").read_text() and not (repo / "notes.log").exists()
