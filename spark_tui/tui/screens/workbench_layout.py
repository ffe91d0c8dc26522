"""The widgets of the workbench, from the header to the footer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.hunk_list import HunkList
from spark_tui.tui.widgets.status_bar import StatusBar
from spark_tui.tui.widgets.transcript import Transcript
from spark_tui.tui.widgets.wafer_panel import WaferPanel

DRAWN = (StatusBar, CodeView, HunkList, Transcript, WaferPanel)
"""Widgets that draw every cell of their lines themselves."""


def compose_workbench(host: WorkbenchHost) -> ComposeResult:
    """The widgets in their places."""
    yield StatusBar(id="header")
    with Horizontal(id="body"):
        with Horizontal(id="rim-left"):
            yield host.list
            yield StatusBar(id="divider", fill="rim.rule", rule="│")
        with Vertical(id="stage"):
            yield StatusBar(id="title", fill="title")
            yield host.code
    yield host.wafer
    yield StatusBar(id="said-edge", fill="rim.rule", rule="─")
    yield host.transcript
    yield StatusBar(id="edge", fill="rim.rule", rule="─")
    with Horizontal(id="ask"):
        yield StatusBar(id="ask-sign")
        yield host.prompt
    yield StatusBar(id="status")
    yield StatusBar(id="footer", group=2)
