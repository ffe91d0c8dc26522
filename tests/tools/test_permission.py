"""What a person allowed always is not asked about again, and nobody's answer is no."""

import threading

from spark_tui.tools.permission import PermissionRequest, Permissions

ONE = PermissionRequest("run", "pytest -q")


def test_without_a_front_end_that_can_ask_nothing_is_allowed():
    assert Permissions().answer(ONE, threading.Event()) == "no"


def test_always_holds_for_the_same_request_only():
    asked = []
    answers = iter(["once", "always", "no"])
    found = Permissions(lambda request, _stop: asked.append(request.text) or next(answers))
    stop = threading.Event()
    assert [found.answer(ONE, stop) for _ in range(4)] == ["once", "always", "always", "always"]
    assert found.answer(PermissionRequest("run", "pytest -q; id"), stop) == "no"
    assert asked == ["pytest -q", "pytest -q", "pytest -q; id"]
