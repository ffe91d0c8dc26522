"""What a message spells out has to stand in what is made of it."""

import pytest

from spark_tui.steers.said_whole import has_what_is_spelled

NOW = "def width(self):\n    return self.east\n"


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("lat_span, please", "def lat_span(self):\n"),
        ("call it lat_span, not lon_span", "def lat_span(self):\n"),
        ("lat_span instead of the_width", "def lat_span(self):\n"),
        ("make it 1 MiB, camelCase is fine", "size = 1 << 20\n"),
        ('say "no such key: foo" there', 'raise KeyError(f"no such key: {name}")\n'),
        ("--ignore-case", "if args.ignore_case:\n"),
        ("return self.east twice", "return 2 * self.east\n"),
        ('drop the "nack %s" text', "pass\n"),
    ],
)
def test_what_is_spelled_stands_there_or_was_turned_down(said, made):
    assert has_what_is_spelled(said, NOW, made)


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("lat_span. and width becomes lon_span then", "def lat_span(self):\n"),
        ('same in nack ("nack %s" with the reason)', 'log("ack %s", msg)\n'),
        ("as a TileError", "raise ValueError(1)\n"),
        ("--ignore-case", "if args.lower:\n"),
    ],
)
def test_half_of_what_is_said_is_not_enough(said, made):
    assert not has_what_is_spelled(said, NOW, made)
