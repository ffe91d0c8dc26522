"""A small roguelike: rooms and corridors, monsters that chase, potions, and a turn at a time."""

import heapq
import math
import random
from dataclasses import dataclass, field

WALL = "#"
FLOOR = "."
DOOR = "+"
STAIRS = ">"

MAP_WIDTH = 60
MAP_HEIGHT = 22
MAX_ROOMS = 9
ROOM_MIN = 4
ROOM_MAX = 10
SIGHT = 7

DIRECTIONS = {
    "h": (-1, 0),
    "j": (0, 1),
    "k": (0, -1),
    "l": (1, 0),
    "y": (-1, -1),
    "u": (1, -1),
    "b": (-1, 1),
    "n": (1, 1),
}


@dataclass
class Rect:
    x: int
    y: int
    w: int
    h: int

    @property
    def x2(self):
        return self.x + self.w

    @property
    def y2(self):
        return self.y + self.h

    def center(self):
        return self.x + self.w // 2, self.y + self.h // 2

    def intersects(self, other, gap=1):
        if self.x - gap > other.x2 or other.x - gap > self.x2:
            return False
        if self.y - gap > other.y2 or other.y - gap > self.y2:
            return False
        return True

    def cells(self):
        for y in range(self.y, self.y2):
            for x in range(self.x, self.x2):
                yield x, y


class Level:
    """Tiles, and what was seen of them."""

    def __init__(self, width=MAP_WIDTH, height=MAP_HEIGHT):
        self.width = width
        self.height = height
        self.tiles = []
        for y in range(height):
            row = []
            for x in range(width):
                row.append(WALL)
            self.tiles.append(row)
        self.rooms = []
        self.explored = set()

    def inside(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height

    def tile(self, x, y):
        if not self.inside(x, y):
            return WALL
        return self.tiles[y][x]

    def put(self, x, y, tile):
        self.tiles[y][x] = tile

    def is_walkable(self, x, y):
        return self.tile(x, y) != WALL

    def blocks_sight(self, x, y):
        return self.tile(x, y) in (WALL, DOOR)

    def carve_room(self, rect):
        for x, y in rect.cells():
            self.put(x, y, FLOOR)
        self.rooms.append(rect)

    def carve_h(self, x1, x2, y):
        for x in range(min(x1, x2), max(x1, x2) + 1):
            self.put(x, y, FLOOR)

    def carve_v(self, y1, y2, x):
        for y in range(min(y1, y2), max(y1, y2) + 1):
            self.put(x, y, FLOOR)

    def connect(self, a, b, rng):
        x1, y1 = a.center()
        x2, y2 = b.center()
        if rng.random() < 0.5:
            self.carve_h(x1, x2, y1)
            self.carve_v(y1, y2, x2)
        else:
            self.carve_v(y1, y2, x1)
            self.carve_h(x1, x2, y2)

    def neighbours(self, x, y):
        result = []
        for dx, dy in DIRECTIONS.values():
            if self.is_walkable(x + dx, y + dy):
                result.append((x + dx, y + dy))
        return result


def generate(rng, width=MAP_WIDTH, height=MAP_HEIGHT):
    level = Level(width, height)
    for attempt in range(MAX_ROOMS * 5):
        if len(level.rooms) == MAX_ROOMS:
            break
        w = rng.randint(ROOM_MIN, ROOM_MAX)
        h = rng.randint(ROOM_MIN, ROOM_MAX - 3)
        x = rng.randint(1, width - w - 1)
        y = rng.randint(1, height - h - 1)
        rect = Rect(x, y, w, h)
        overlaps = False
        for other in level.rooms:
            if rect.intersects(other):
                overlaps = True
        if overlaps:
            continue
        level.carve_room(rect)
        if len(level.rooms) > 1:
            level.connect(level.rooms[-2], rect, rng)
    x, y = level.rooms[-1].center()
    level.put(x, y, STAIRS)
    return level


def line(x0, y0, x1, y1):
    """Cells from one point to another, both included."""
    cells = []
    dx = abs(x1 - x0)
    dy = -abs(y1 - y0)
    sx = 1 if x0 < x1 else -1
    sy = 1 if y0 < y1 else -1
    error = dx + dy
    while True:
        cells.append((x0, y0))
        if x0 == x1 and y0 == y1:
            break
        e2 = 2 * error
        if e2 >= dy:
            error += dy
            x0 += sx
        if e2 <= dx:
            error += dx
            y0 += sy
    return cells


def visible_from(level, x, y, radius=SIGHT):
    seen = set()
    for ty in range(y - radius, y + radius + 1):
        for tx in range(x - radius, x + radius + 1):
            if not level.inside(tx, ty):
                continue
            if math.sqrt((tx - x) ** 2 + (ty - y) ** 2) > radius:
                continue
            for cx, cy in line(x, y, tx, ty):
                seen.add((cx, cy))
                if level.blocks_sight(cx, cy) and (cx, cy) != (x, y):
                    break
    return seen


def find_path(level, start, goal, blocked=()):
    """A* over walkable cells; the start is not part of the path, an empty list means there is none."""
    frontier = [(0, start)]
    came_from = {start: None}
    cost = {start: 0}
    while frontier:
        _, current = heapq.heappop(frontier)
        if current == goal:
            break
        for neighbour in level.neighbours(*current):
            if neighbour in blocked and neighbour != goal:
                continue
            new_cost = cost[current] + 1
            if neighbour not in cost or new_cost < cost[neighbour]:
                cost[neighbour] = new_cost
                dx = abs(goal[0] - neighbour[0])
                dy = abs(goal[1] - neighbour[1])
                heapq.heappush(frontier, (new_cost + max(dx, dy), neighbour))
                came_from[neighbour] = current
    if goal not in came_from:
        return []
    path = []
    current = goal
    while current != start:
        path.append(current)
        current = came_from[current]
    path.reverse()
    return path


@dataclass
class Item:
    name: str
    glyph: str
    heal: int = 0
    attack: int = 0

    def use(self, game):
        if self.heal > 0:
            healed = game.player.heal(self.heal)
            game.log("You drink the %s and regain %d." % (self.name, healed))
            return True
        if self.attack > 0:
            game.player.attack += self.attack
            game.log("The %s feels good in your hand." % self.name)
            return True
        return False


@dataclass
class Actor:
    name: str
    glyph: str
    x: int
    y: int
    hp: int
    attack: int
    defense: int = 0
    max_hp: int = 0
    items: list = field(default_factory=list)

    def __post_init__(self):
        if self.max_hp == 0:
            self.max_hp = self.hp

    @property
    def pos(self):
        return self.x, self.y

    def is_alive(self):
        return self.hp > 0

    def heal(self, amount):
        before = self.hp
        self.hp = min(self.max_hp, self.hp + amount)
        return self.hp - before

    def distance(self, other):
        return max(abs(self.x - other.x), abs(self.y - other.y))


MONSTERS = [
    ("rat", "r", 4, 2, 0),
    ("goblin", "g", 8, 3, 1),
    ("orc", "o", 14, 5, 2),
    ("troll", "T", 25, 8, 3),
]

ITEMS = [
    ("healing potion", "!", 10, 0),
    ("dagger", "/", 0, 1),
    ("sword", "/", 0, 3),
]


def make_monster(rng, depth, x, y):
    choices = MONSTERS[: min(len(MONSTERS), depth + 1)]
    name, glyph, hp, attack, defense = rng.choice(choices)
    return Actor(name, glyph, x, y, hp, attack, defense)


def make_item(rng):
    name, glyph, heal, attack = rng.choice(ITEMS)
    return Item(name, glyph, heal, attack)


class Game:
    def __init__(self, seed=None):
        self.rng = random.Random(seed)
        self.depth = 0
        self.turn = 0
        self.messages = []
        self.player = Actor("you", "@", 0, 0, hp=30, attack=4, defense=1)
        self.monsters = []
        self.items = {}
        self.level = None
        self.visible = set()
        self.score = 0
        self.descend()

    def log(self, text):
        self.messages.append(text)
        if len(self.messages) > 100:
            self.messages = self.messages[-100:]

    def descend(self):
        self.depth += 1
        self.level = generate(self.rng)
        self.player.x, self.player.y = self.level.rooms[0].center()
        self.monsters = []
        self.items = {}
        for room in self.level.rooms[1:]:
            self.populate(room)
        self.look()
        self.log("Welcome to depth %d." % self.depth)

    def populate(self, room):
        cells = list(room.cells())
        for i in range(self.rng.randint(0, 2)):
            x, y = self.rng.choice(cells)
            if self.monster_at(x, y) is None:
                self.monsters.append(make_monster(self.rng, self.depth, x, y))
        if self.rng.random() < 0.4:
            self.items[self.rng.choice(cells)] = make_item(self.rng)

    def look(self):
        self.visible = visible_from(self.level, self.player.x, self.player.y)
        self.level.explored |= self.visible

    def monster_at(self, x, y):
        for monster in self.monsters:
            if monster.x == x and monster.y == y:
                return monster
        return None

    def damage(self, attacker, target):
        roll = self.rng.randint(1, 6)
        amount = attacker.attack + roll - 3 - target.defense
        if amount < 0:
            amount = 0
        return amount

    def fight(self, attacker, target):
        amount = self.damage(attacker, target)
        if amount == 0:
            self.log("%s misses %s." % (attacker.name, target.name))
            return
        target.hp -= amount
        self.log("%s hits %s for %d." % (attacker.name, target.name, amount))
        if not target.is_alive():
            self.log("%s dies." % target.name)
            if target in self.monsters:
                self.monsters.remove(target)
                self.score += target.max_hp

    def move_player(self, dx, dy):
        x = self.player.x + dx
        y = self.player.y + dy
        monster = self.monster_at(x, y)
        if monster is not None:
            self.fight(self.player, monster)
            return True
        else:
            if self.level.is_walkable(x, y):
                self.player.x = x
                self.player.y = y
                self.pick_up()
                return True
            else:
                return False

    def pick_up(self):
        item = self.items.pop(self.player.pos, None)
        if item is not None:
            self.player.items.append(item)
            self.log("You pick up the %s." % item.name)

    def use_item(self, index):
        if index >= len(self.player.items):
            self.log("You have no such thing.")
            return False
        item = self.player.items[index]
        if item.use(self):
            del self.player.items[index]
            return True
        return False

    def monsters_act(self):
        for monster in list(self.monsters):
            if monster.pos not in self.visible:
                continue
            if monster.distance(self.player) <= 1:
                self.fight(monster, self.player)
            else:
                blocked = {m.pos for m in self.monsters}
                path = find_path(self.level, monster.pos, self.player.pos, blocked)
                if path:
                    monster.x, monster.y = path[0]

    def step(self, key):
        """One key of the player, and then everybody else's turn."""
        acted = False
        if key in DIRECTIONS:
            dx, dy = DIRECTIONS[key]
            acted = self.move_player(dx, dy)
        elif key == ".":
            acted = True
        elif key == ">":
            if self.level.tile(*self.player.pos) == STAIRS:
                self.descend()
                acted = True
        elif key.isdigit():
            acted = self.use_item(int(key) - 1)
        if acted:
            self.turn += 1
            self.monsters_act()
            self.look()
        return self.player.is_alive()

    def glyph(self, x, y):
        if (x, y) == self.player.pos:
            return self.player.glyph
        if (x, y) in self.visible:
            monster = self.monster_at(x, y)
            if monster is not None:
                return monster.glyph
            if (x, y) in self.items:
                return self.items[(x, y)].glyph
        if (x, y) in self.level.explored:
            return self.level.tile(x, y)
        return " "

    def render(self):
        lines = []
        for y in range(self.level.height):
            text = ""
            for x in range(self.level.width):
                text += self.glyph(x, y)
            lines.append(text)
        lines.append(self.status())
        lines.extend(self.messages[-3:])
        return "\n".join(lines)

    def status(self):
        return "HP %d/%d  attack %d  depth %d  turn %d  score %d" % (
            self.player.hp,
            self.player.max_hp,
            self.player.attack,
            self.depth,
            self.turn,
            self.score,
        )


def play(seed=None):
    game = Game(seed)
    while True:
        print(game.render())
        key = input("move: ").strip()
        if key == "q":
            break
        if not game.step(key):
            print("You died on depth %d with a score of %d." % (game.depth, game.score))
            break


if __name__ == "__main__":
    play()
