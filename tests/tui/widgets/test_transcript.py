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
