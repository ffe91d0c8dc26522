# ruff: noqa: E501 - tables of instructions read better unbroken
"""What is complained of ends, at the one place where it comes from."""

from __future__ import annotations

import pytest
from checks_texts import CLEAN, GAME, GRADES, changed


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('average() crashes when there are no grades, return 0 then', '', '        if not self.grades:\n            return 0'),
        ('best blows up on an empty list, give back None instead', '', '        if not self.grades:\n            return None'),
        ('last fails with an IndexError if nothing was added yet, should return None', '', '        if not self.grades:\n            return None'),
        ('note: KeyError when the student is unknown, return an empty string then', '        return self.notes[student]', '        return self.notes.get(student, "")'),
        ('mean crashes when the list is empty', '', '    if not numbers:\n        return 0'),
        ('mean([]) gives ZeroDivisionError, make it 0', '', '    if not numbers:\n        return 0'),
        ('if there are no numbers mean should be 0.0', '', '    if not numbers:\n        return 0.0'),
        ('best of an empty course should be None', '', '        if not self.grades:\n            return None'),
        ('ZeroDivisionError: division by zero in percent', '', '    if whole == 0:\n        return 0'),
        ('percent divides by zero when whole is 0, return 0 in that case', '', '    if whole == 0:\n        return 0'),
        ('show crashes with TypeError: can only concatenate str (not "int") to str', '    print(course.title + ": " + len(course.grades))', '    print(course.title + ": " + str(len(course.grades)))'),
        ('FileNotFoundError in load -> return {}', '    with open(path) as f:\n        return json.load(f)', '    try:\n        with open(path) as f:\n            return json.load(f)\n    except FileNotFoundError:\n        return {}'),
        ('ask_age dies when I type letters, print "please enter a number" and return None', '    age = int(input("How old are you? "))', '    try:\n        age = int(input("How old are you? "))\n    except ValueError:\n        print("please enter a number")\n        return None'),
        ("ValueError: invalid literal for int() with base 10: 'abc' in ask_age, return 0 then", '    age = int(input("How old are you? "))', '    try:\n        age = int(input("How old are you? "))\n    except ValueError:\n        return 0'),
        ('max() arg is an empty sequence, return None from best in that case', '', '        if not self.grades:\n            return None'),
        ('Traceback (most recent call last): File "grades.py", line 25, in note return self.notes[student] KeyError: \'tom\' - give back "" then', '        return self.notes[student]', '        return self.notes.get(student, "")'),
        ('load should survive a missing file, return an empty dict then', '    with open(path) as f:\n        return json.load(f)', '    try:\n        with open(path) as f:\n            return json.load(f)\n    except FileNotFoundError:\n        return {}'),
        ('the json may be broken, load should return {} then', '    with open(path) as f:\n        return json.load(f)', '    try:\n        with open(path) as f:\n            return json.load(f)\n    except json.JSONDecodeError:\n        return {}'),
        ('load: empty dict if the file is not there', '    with open(path) as f:\n        return json.load(f)', '    try:\n        with open(path) as f:\n            return json.load(f)\n    except FileNotFoundError:\n        return {}'),
        ('mean of an empty list: 0', '', '    if not numbers:\n        return 0'),
        ('average returns 0 for an empty list please', '', '        if not self.grades:\n            return 0'),
        ('ask_age should not crash on letters, return -1 then', '    age = int(input("How old are you? "))', '    try:\n        age = int(input("How old are you? "))\n    except ValueError:\n        return -1'),
    ],
)  # fmt: skip
def test_grades(said: str, gone: str, come: str) -> None:
    assert changed(GRADES, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ("drop crashes when the item isn't in the bag, do nothing then", '', '        if item not in self.bag:\n            return'),
        ('drop: ValueError when item not in bag, print "not in bag" and return', '', '        if item not in self.bag:\n            print("not in bag")\n            return'),
        ("attack: 'NoneType' object has no attribute 'hit' -> do nothing if there's no target", '', '    if target is None:\n        return'),
        ('IndexError: Cannot choose from an empty sequence in pick, return None when there are no players', '', '    if not players:\n        return None'),
        ('pick fails for an empty list', '', '    if not players:\n        return None'),
    ],
)  # fmt: skip
def test_game(said: str, gone: str, come: str) -> None:
    assert changed(GAME, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('FileExistsError in backup when dst is there already', '    os.mkdir(dst)', '    os.makedirs(dst, exist_ok=True)'),
        ('backup fails if the folder already exists', '    os.mkdir(dst)', '    os.makedirs(dst, exist_ok=True)'),
        ('ValueError: not enough values to unpack (expected 2, got 1) in read_config, ignore such lines', '', '            if "=" not in line:\n                continue'),
        ('read_config: return {} if the file is missing', '    with open(path) as f:\n        for line in f:\n            key, value = line.split("=")\n            cfg[key] = value', '    try:\n        with open(path) as f:\n            for line in f:\n                key, value = line.split("=")\n                cfg[key] = value\n    except FileNotFoundError:\n        return {}'),
        ('if the config file is missing return an empty dict', '    with open(path) as f:\n        for line in f:\n            key, value = line.split("=")\n            cfg[key] = value', '    try:\n        with open(path) as f:\n            for line in f:\n                key, value = line.split("=")\n                cfg[key] = value\n    except FileNotFoundError:\n        return {}'),
        ('clean crashes if a file is already gone, just ignore it', '        os.remove(path)', '        try:\n            os.remove(path)\n        except FileNotFoundError:\n            continue'),
    ],
)  # fmt: skip
def test_clean(said: str, gone: str, come: str) -> None:
    assert changed(CLEAN, said) == (gone, come)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (GRADES, "why does average crash when there are no grades?"),
        (GRADES, "what happens in note when the student is unknown?"),
        (GRADES, "rate crashes when the list is empty, return 0"),
        (GRADES, "average crashes on a full moon"),
        (GAME, "attack crashes with a KeyError when the player is unknown, return 0"),
        (GAME, "tell me how hit fails"),
    ],
)
def test_what_is_asked_or_has_no_place_is_left(code: str, said: str) -> None:
    assert changed(code, said) is None
