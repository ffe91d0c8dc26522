"""What cannot be served is said in a sentence, before anything is loaded where that can be."""

import socket

import pytest

from spark_tui.cli.main import main


@pytest.fixture(autouse=True)
def nobodys_token(monkeypatch):
    monkeypatch.delenv("SPARK_SERVE_TOKEN", raising=False)


def run_serve(capsys, *words):
    """The exit code and the lines of the message; a traceback would be none of both."""
    try:
        code = main(["serve", *words])
    except SystemExit as ended:
        code = ended.code
    return code, capsys.readouterr().err


@pytest.mark.parametrize("port", ["65536", "99999", "-1"])
def test_a_number_that_is_no_port_is_a_usage_error(capsys, port):
    code, said = run_serve(capsys, "--port", port)
    assert code == 2 and "--port" in said


@pytest.mark.parametrize("bound", ["active", "connections", "output-tokens", "message-bytes"])
def test_bounds_under_which_no_turn_begins_are_refused(capsys, bound):
    code, said = run_serve(capsys, f"--{bound}", "0")
    assert code == 2 and "at least 1" in said


def test_a_port_that_is_taken_is_said_with_what_to_do(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, said = run_serve(capsys, "--port", str(taken.getsockname()[1]))
    assert code == 7
    assert "cannot listen" in said and "--port" in said


@pytest.mark.parametrize("name", ["missing.pem", "text.pem"])
def test_a_certificate_that_is_none_is_said(capsys, tmp_path, name):
    (tmp_path / "text.pem").write_text("no certificate\n")
    path = str(tmp_path / name)
    code, said = run_serve(capsys, "--port", "0", "--certificate", path, "--private-key", path)
    assert code == 2
    assert said.startswith(f"spark: {path}: the certificate cannot be used")


def test_a_key_alone_is_not_taken_for_tls(capsys, tmp_path):
    code, said = run_serve(capsys, "--port", "0", "--private-key", str(tmp_path / "key.pem"))
    assert code == 2 and "--certificate" in said


def test_a_file_of_tokens_that_cannot_be_read_is_said(capsys, tmp_path):
    code, said = run_serve(capsys, "--token-file", str(tmp_path / "none"))
    assert code == 2 and "No such file" in said and "Errno" not in said
