# ruff: noqa: E501 - one case a line reads better unbroken
"""Parameters, answers, sorts and steps are what an order about a function makes of them."""

from __future__ import annotations

import difflib

import pytest
from apps import APPS

from spark_tui.refactor.known import PLAIN, known

Lines = tuple[str, ...]


def made(app: str, instruction: str) -> tuple[Lines, Lines]:
    """The lines that go and those that come, of the one edit that is plain."""
    lines = tuple(APPS[app].split("\n")[:-1])
    found = known(lines, instruction)
    assert [one.plain for one in found] == [PLAIN]
    new = list(lines)
    for hunk in reversed(found[0].hunks):
        new[hunk.first : hunk.last] = hunk.new
    told = [line for line in difflib.ndiff(lines, new) if line[:1] in "-+" and line[2:].strip()]
    return tuple(one[2:].strip() for one in told if one[0] == "-"), tuple(
        one[2:].strip() for one in told if one[0] == "+"
    )


@pytest.mark.parametrize(
    ("app", "instruction", "gone", "come"),
    [
        ('sync', 'make the timeout a parameter of download, default 10', ('def download(name, target):', 'response = requests.get(f"{URL}/{name}", timeout=10, stream=True)'), ('def download(name, target, timeout=10):', 'response = requests.get(f"{URL}/{name}", timeout=timeout, stream=True)')),
        ('sync', 'timeout should be a parameter of download', ('def download(name, target):', 'response = requests.get(f"{URL}/{name}", timeout=10, stream=True)'), ('def download(name, target, timeout=10):', 'response = requests.get(f"{URL}/{name}", timeout=timeout, stream=True)')),
        ('sync', 'let the caller of sync pass the number of attempts, default 3', ('def sync(folder, number):', 'for attempt in range(3):'), ('def sync(folder, number, attempts=3):', 'for attempt in range(attempts):')),
        ('sync', 'pass the chunk size to download, default CHUNK', ('def download(name, target):', 'for block in response.iter_content(CHUNK):'), ('def download(name, target, chunk_size=CHUNK):', 'for block in response.iter_content(chunk_size):')),
        ('game', 'pass the number of lives to play, default LIVES', ('def play(player):', 'lives = LIVES'), ('def play(player, lives=LIVES):',)),
        ('game', 'rounds should be a parameter of play, default 10', ('def play(player):', 'rounds = 10'), ('def play(player, rounds=10):',)),
        ('game', 'turn rounds in play into an argument', ('def play(player):', 'rounds = 10'), ('def play(player, rounds=10):',)),
        ('clickapp', 'let scale take the factor as an argument, FACTOR by default', ('def scale(width, height):', 'x = width * FACTOR', 'y = height * FACTOR'), ('def scale(width, height, factor=FACTOR):', 'x = width * factor', 'y = height * factor')),
        ('library', 'the fine per day should be a parameter of fine, default FINE_PER_DAY', ('def fine(days):', 'return days * 0.5'), ('def fine(days, fine_per_day=FINE_PER_DAY):', 'return days * fine_per_day')),
        ('game', 'roll should take the number of sides, 6 by default', ('def roll():', 'return random.randint(1, 6)'), ('def roll(sides=6):', 'return random.randint(1, sides)')),
        ('library', 'add a branch to grade: above 10 it is "soon"', (), ('elif days > 10:', 'return "soon"')),
        ('library', 'grade: more than 90 days should be "gone"', ('if days > 60:',), ('if days > 90:', 'return "gone"', 'elif days > 60:')),
        ('library', 'there should be a "due" from 14 days on', (), ('elif days >= 14:', 'return "due"')),
        ('web', 'create should return 201', ('return jsonify({"ok": True})',), ('return jsonify({"ok": True}), 201',)),
        ('web', 'remove should return 204 and an empty string', ('return jsonify({"ok": True}), 200',), ('return "", 204',)),
        ('web', 'the status in show should be 404', ('return jsonify({"error": "not found"}), 400',), ('return jsonify({"error": "not found"}), 404',)),
        ('web', 'remove should be a DELETE route', ('@app.route("/notes/<note_id>/delete")',), ('@app.route("/notes/<note_id>/delete", methods=["DELETE"])',)),
        ('web', 'create should also accept PUT', ('@app.route("/notes", methods=["POST"])',), ('@app.route("/notes", methods=["POST", "PUT"])',)),
        ('sync', 'sync should also return the folder', ('return done',), ('return done, folder',)),
        ('clickapp', 'scale should return both x and y', ('return x',), ('return x, y',)),
        ('clickapp', 'return a tuple of x and y in scale', ('return x',), ('return x, y',)),
        ('library', 'lookup should raise a KeyError with the title instead of returning None', ('return None',), ('raise KeyError(title)',)),
        ('league', 'find should raise a KeyError with the name instead of returning None', ('return None',), ('raise KeyError(name)',)),
        ('league', 'raise LookupError in find when nothing is found', ('return None',), ('raise LookupError(name)',)),
        ('library', 'if no book is found lookup should raise ValueError("no such book")', ('return None',), ('raise ValueError("no such book")',)),
        ('game', 'lower case what ask() returns', ('return answer',), ('return answer.lower()',)),
        ('game', 'average should be rounded to 2 digits', ('return total / len(players)',), ('return round(total / len(players), 2)',)),
        ('library', 'titles should come back sorted', ('return [book.title for book in self.books]',), ('return sorted([book.title for book in self.books])',)),
        ('library', 'fine should return an int', ('return days * 0.5',), ('return int(days * 0.5)',)),
        ('league', 'table has the worst team on top, turn it around', ('ordered = sorted(teams, key=lambda team: team.points)',), ('ordered = sorted(teams, key=lambda team: team.points, reverse=True)',)),
        ('league', 'table: best team first', ('ordered = sorted(teams, key=lambda team: team.points)',), ('ordered = sorted(teams, key=lambda team: team.points, reverse=True)',)),
        ('league', 'sort the table by name instead', ('ordered = sorted(teams, key=lambda team: team.points)',), ('ordered = sorted(teams, key=lambda team: team.name)',)),
        ('league', 'most points first in table', ('ordered = sorted(teams, key=lambda team: team.points)',), ('ordered = sorted(teams, key=lambda team: team.points, reverse=True)',)),
        ('league', 'ties in the table by name', ('ordered = sorted(teams, key=lambda team: team.points)',), ('ordered = sorted(teams, key=lambda team: (team.points, team.name))',)),
        ('game', 'high scores should be highest first', ('players.sort(key=lambda p: p.score)',), ('players.sort(key=lambda p: p.score, reverse=True)',)),
        ('game', 'the high_scores are upside down', ('players.sort(key=lambda p: p.score)',), ('players.sort(key=lambda p: p.score, reverse=True)',)),
        ('library', 'newest books first in sorted_books', ('return sorted(self.books, key=lambda b: b.year)',), ('return sorted(self.books, key=lambda b: b.year, reverse=True)',)),
        ('library', 'sorted_books by title please', ('return sorted(self.books, key=lambda b: b.year)',), ('return sorted(self.books, key=lambda b: b.title)',)),
        ('library', 'sort by year and then by title', ('return sorted(self.books, key=lambda b: b.year)',), ('return sorted(self.books, key=lambda b: (b.year, b.title))',)),
        ('library', 'same year: sort by title', ('return sorted(self.books, key=lambda b: b.year)',), ('return sorted(self.books, key=lambda b: (b.year, b.title))',)),
        ('sync', 'listing in reverse order please', ('names.sort()',), ('names.sort(reverse=True)',)),
        ('sync', 'UNUSED_LIMIT is not used, away with it', ('UNUSED_LIMIT = 10',), ()),
        ('sync', 'nobody uses UNUSED_LIMIT, kill it', ('UNUSED_LIMIT = 10',), ()),
        ('library', 'throw out constants nobody uses', ('FINE_PER_DAY = 0.5', 'MAX_LOANS = 3'), ()),
        ('sync', 'shutil is not used, away with it', ('import shutil',), ()),
        ('library', 'MAX_LOANS can go', ('MAX_LOANS = 3',), ()),
        ('game', 'WORDS is never used', ('WORDS = ["python", "garden", "rocket"]',), ()),
        ('sync', 'the url should not be called URL but API_URL', ('URL = "https://files.example.com/api"', 'response = requests.get(f"{URL}/{name}", timeout=10, stream=True)'), ('API_URL = "https://files.example.com/api"', 'response = requests.get(f"{API_URL}/{name}", timeout=10, stream=True)')),
        ('clickapp', 'tmp2 is a bad name, call it count_values', ('def tmp2(vals):',), ('def count_values(vals):',)),
        ('clickapp', 'res should be called counts', ('res = {}', 'res[v] = res.get(v, 0) + 1', 'return res'), ('counts = {}', 'counts[v] = counts.get(v, 0) + 1', 'return counts')),
        ('clickapp', 'vals -> values in tmp2', ('def tmp2(vals):', 'for v in vals:'), ('def tmp2(values):', 'for v in values:')),
        ('library', 'a better name for fine would be late_fee', ('def fine(days):',), ('def late_fee(days):',)),
        ('clickapp', 'say what tmp2 returns (dict of str to int)', ('def tmp2(vals):',), ('def tmp2(vals) -> dict[str, int]:',)),
        ('sync', 'say that listing gives a list of strings', ('def listing(folder):',), ('def listing(folder) -> list[str]:',)),
        ('sync', 'sync returns an int, write that down in the signature', ('def sync(folder, number):',), ('def sync(folder, number) -> int:',)),
        ('library', 'days is an int in fine', ('def fine(days):',), ('def fine(days: int):',)),
        ('cafe', 'make wait an argument of poll', ('def poll(url):', 'wait = 30'), ('def poll(url, wait=30):',)),
        ('cafe', 'tip: pass the share in as an argument, 0.1 by default', ('def tip(amount, happy):', 'share = 0.1'), ('def tip(amount, happy, share=0.1):',)),
        ('cafe', 'find_order should raise a LookupError instead of returning None', (), ('raise LookupError(table)',)),
        ('cafe', 'rating: 3 and up is "good"', (), ('elif stars >= 3:', 'text = "good"')),
        ('cafe', 'there should be a "perfect" from 5 on in rating', ('if stars >= 4:',), ('if stars >= 5:', 'text = "perfect"', 'elif stars >= 4:')),
        ('cafe', 'open_orders has the highest table first, turn it around', ('return sorted([o for o in orders if not o.paid], key=lambda o: o.table, reverse=True)',), ('return sorted([o for o in orders if not o.paid], key=lambda o: o.table)',)),
        ('cafe', 'sort open_orders by guest instead of table', ('return sorted([o for o in orders if not o.paid], key=lambda o: o.table, reverse=True)',), ('return sorted([o for o in orders if not o.paid], key=lambda o: o.guest, reverse=True)',)),
        ('cafe', 'MAX_ORDERS isnt used anywhere, drop it', ('MAX_ORDERS = 50',), ()),
        ('cafe', 'OLD_PRICE can be removed', ('OLD_PRICE = 3',), ()),
        ('cafe', 'tip should be rounded to two decimals', ('return amount * share',), ('return round(amount * share, 2)',)),
        ('cafe', 'round what tip returns to 2 places', ('return amount * share',), ('return round(amount * share, 2)',)),
        ('cafe', 'read_menu should also return the path', ('return menu',), ('return menu, path',)),
        ('cafe', 'total should return an int', ('return sum(price for _, price in self.lines)',), ('return int(sum(price for _, price in self.lines))',)),
        ('cafe', 'cheapest should return the name in upper case', ('return names[0]',), ('return names[0].upper()',)),
        ('cafe', 'log is a bad name, call it logger', ('log = logging.getLogger("cafe")', 'log.info("polling %s", url)'), ('logger = logging.getLogger("cafe")', 'logger.info("polling %s", url)')),
        ('cafe', 'the class should be called GuestOrder not Order', ('class Order:', 'order = Order(3)'), ('class GuestOrder:', 'order = GuestOrder(3)')),
        ('cafe', 'say what tip returns (float)', ('def tip(amount, happy):',), ('def tip(amount, happy) -> float:',)),
        ('cafe', 'rating takes an int and returns a string', ('def rating(stars):',), ('def rating(stars: int) -> str:',)),
        ('weather', 'label: under 10 it is "chilly"', (), ('elif temp < 10:', 'return "chilly"')),
        ('weather', 'below 35 it should be "very warm"', (), ('elif temp < 35:', 'return "very warm"')),
        ('weather', 'warmest is the wrong way round', ('readings.sort(key=lambda r: r.temp, reverse=True)',), ('readings.sort(key=lambda r: r.temp)',)),
        ('weather', 'window in smooth should be a parameter', ('def smooth(values, out=None):', 'window = 3'), ('def smooth(values, out=None, window=3):',)),
        ('weather', 'smooth should take the window size as an argument, default 3', ('def smooth(values, out=None):', 'window = 3'), ('def smooth(values, out=None, window=3):',)),
        ('weather', 'to_fahrenheit should round to one digit', ('return result',), ('return round(result, 1)',)),
        ('weather', 'smooth never uses out, remove it', ('def smooth(values, out=None):',), ('def smooth(values):',)),
        ('weather', 'STATION is not used', ('STATION = "north"',), ()),
        ('weather', 'say what warmest returns (list of Reading)', ('def warmest(readings):',), ('def warmest(readings) -> list[Reading]:',)),
    ],
)  # fmt: skip
def test_an_order_is_done_as_it_is_meant(app: str, instruction: str, gone: Lines, come: Lines) -> None:
    assert made(app, instruction) == (gone, come)


@pytest.mark.parametrize(
    ("app", "instruction"),
    [
        ('league', 'add a lose method to Team (points stay the same)'),
        ('library', 'there is an "early" up to 7... no wait, add "very late" above 45'),
        ('sync', 'download should return None when ... hm, no: return the response too'),
        ('sync', 'total_size: also return the number of files'),
        ('game', 'nobody understands p... call it player'),
        ('game', 'guessed is a set'),
        ('cafe', 'remove the paid attribute'),
        ('cafe', 'do we still need os? if not remove it'),
        ('league', 'add a goals counter to Team'),
        ('game', 'is_rich as a setter'),
        ('sync', 'remove the folder option'),
        ('library', 'remove books from Shelf'),
        ('sync', 'CHUNK is not used, away with it'),
        ('league', 'get rid of name'),
        ('game', 'add a fly(height) method to Player and let it soar'),
        ('web', 'show should be a PURGE route'),
        ('library', 'there is a "never" from 30 to 60'),
        ('sync', 'make the color a parameter of download'),
        ('library', 'ties by colour'),
        ('sync', 'help text for speed: how fast'),
    ],
)  # fmt: skip
def test_what_is_not_there_or_says_more_is_never_plain(app: str, instruction: str) -> None:
    found = known(tuple(APPS[app].split("\n")[:-1]), instruction)
    assert not any(one.plain == PLAIN for one in found)
