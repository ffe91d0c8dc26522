"""The transcript: what a model says, without the line ends between its hunks."""

from __future__ import annotations

from support.workbench_app import bench, press, running, screen_text

from spark_tui.tui.app import SparkApp
from spark_tui.tui.turns.transcript_lines import TranscriptLine


async def test_blank_lines_between_hunks_leave_one_row(app: SparkApp) -> None:
    async with running(app, (120, 40)):
        transcript = bench(app).transcript
        transcript.show_lines([TranscriptLine("model", "I'll guard it.\n\n\n \n\nDone.\n\nAll of it.\n\n\n")])
        rows = [transcript.render_line(row).text.strip() for row in range(transcript.size.height)]
        assert rows == ["I'll guard it.", "", "Done.", "", "All of it."]


async def test_a_line_that_goes_again_leaves_those_before_it_as_they_are(app: SparkApp) -> None:
    async with running(app, (120, 40)):
        transcript = bench(app).transcript
        stays, goes = TranscriptLine("note", "stays"), TranscriptLine("you", "goes")
        for lines in ([stays, goes], [stays], [stays, TranscriptLine("note", "comes")]):
            transcript.show_lines(lines)
        rows = [transcript.render_line(row).text.strip() for row in range(transcript.size.height)]
        assert [row for row in rows if row] == ["· stays", "· comes"]


async def test_of_a_short_answer_that_does_not_fit_the_beginning_is_shown_once_it_is_complete(
    app: SparkApp,
) -> None:
    async with running(app, (60, 16)) as pilot:
        transcript = bench(app).transcript
        answer = [TranscriptLine("model", "There is no such name here. " + "Connect a larger model. " * 4)]
        shown = {}
        for growing in (True, False):
            transcript.show_lines(answer, growing=growing)
            await pilot.pause()
            shown[growing] = transcript.render_line(0).text
        assert "no such name" not in shown[True]
        assert "no such name" in shown[False]


async def test_the_keys_scroll_what_does_not_fit_and_say_so(app: SparkApp) -> None:
    async with running(app, (120, 40)) as pilot:
        workbench = bench(app)
        said = "\n".join(f"line {number} of what it said" for number in range(30))
        workbench.controller.turn_state.add_line("model", said)
        workbench.controller.turn_state.add_line("sum", "1 hunk")
        workbench.transcript.show_lines(workbench.controller.lines)
        workbench.paint_status()
        await pilot.pause()
        assert "line 29 of" in screen_text(app)
        assert "● 1 hunk" in screen_text(app)
        assert "PgUp earlier · F3 enlarge" in screen_text(app)
        await press(pilot, *["pageup"] * 8)
        assert "line 0 of" in screen_text(app)
        assert "PgDn later ─" in screen_text(app)
        await press(pilot, *["pagedown"] * 9)
        assert "line 29 of" in screen_text(app)
        assert "PgDn later" not in screen_text(app)
        await press(pilot, "f3")
        assert "F3 shrink ─" in screen_text(app)
        await press(pilot, "f3")
        assert "F3 enlarge ─" in screen_text(app)


async def test_nothing_is_said_of_keys_that_would_show_no_more(app: SparkApp) -> None:
    async with running(app, (120, 40)):
        workbench = bench(app)
        workbench.transcript.show_lines([TranscriptLine("model", "I'll guard it.")])
        workbench.paint_status()
        assert "PgUp" not in screen_text(app)
