"""Recordings for `--replay`."""

from pathlib import Path

from spark_tui.backends import recording
from spark_tui.backends.recording import Recording, TimedText


def write_recording(path: Path, text: str, format: str = "lines") -> Path:
    """Write a recording that answers any instruction with `text`, one character at a time without delay."""
    pieces = tuple(TimedText(0.0, character) for character in text)
    path.write_text(recording.dump(Recording("r", "anything", format, pieces)))
    return path
