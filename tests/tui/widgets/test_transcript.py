"""The transcript: what a model says, without the line ends between its hunks."""

from __future__ import annotations

from support.workbench_app import bench, running

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
