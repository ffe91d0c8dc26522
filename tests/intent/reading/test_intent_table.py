from spark_tui.intent.reading.intent_table import intents, parse


def test_groups_are_named_with_a_dot_and_slots_know_whether_they_are_optional():
    table = parse(
        '[rename]\nabout = "Rename."\nslots = ["symbol", "file?"]\n'
        '[pattern.any]\nabout = "Use any."\nslots = []\ncall = "x"\n'
    )
    assert list(table) == ["rename", "pattern.any"]
    assert table["rename"].slot_names == ("symbol", "file")
    assert table["rename"].required == ("symbol",)
    assert table["pattern.any"].fields == {"call": "x"}


def test_every_shipped_intent_says_what_happens_and_names_its_slots_once():
    for intent in intents().values():
        assert intent.about.endswith(".")
        assert len(set(intent.slot_names)) == len(intent.slots), intent.name
    assert {"rename", "pattern.any", "amend.name", "write"} <= set(intents())
