"""Parts of command line programs, reports, configuration, sensors and caches.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

_CLASSES = r'''
class $C:
    """$S"""

    def __init__(self, {{path||path=$KP}}, $la=$i):
        self.path = path
        self.$la = $la
        self.$lb = {{{}||self._read()}}

    def _read(self):
        if not os.path.exists(self.path):
            return {}
        with open(self.path{{, encoding="utf-8"||}}) as f:
            return json.load(f)

    def get(self, key, default=None):
        return self.$lb.get(key, default)

    def $v(self, key, value):
        self.$lb[key] = value
~|        self.save()

    def save(self):
        with open(self.path, "w"{{, encoding="utf-8"||}}) as f:
            json.dump(self.$lb, f{{, indent=$i||, indent=2, sort_keys=True||}})
---
class $C:
    def __init__(self, size=$KI, ttl={{$d||None}}):
        self.size = size
        self.ttl = ttl
        self.$la = OrderedDict()
        self.hits = 0
        self.misses = 0

    def get(self, key):
        if key not in self.$la:
            self.misses += 1
            return None
        value, $lb = self.$la[key]
        if self.ttl {{is not None ||}}and time.time() - $lb > self.ttl:
            del self.$la[key]
            return None
        self.hits += 1
~|        self.$la.move_to_end(key)
        return value

    def put(self, key, value):
        self.$la[key] = (value, time.time())
        if len(self.$la) > self.size:
            self.$la.popitem({{last=False||}})

~|    def ratio(self):
~|        return self.hits / (self.hits + self.misses)
'''
_CLASSES = _CLASSES.replace(
    "~|    def ratio(self):\n~|        return", "~r|    def ratio(self):\n~r|        return"
)
_ARGS = r'''
def parse_args({{argv=None||}}):
    parser = argparse.ArgumentParser(description="$T")
    parser.add_argument("{{$w1||path}}", help="$t")
~|    parser.add_argument("--$w2", {{type=int, default=$d||default="$w"||type=float, default=$r, help="$t"}})
    parser.add_argument({{"-$w5", ||}}"--$w3", {{action="store_true"||action="store_true", help="$t"||choices=["$s", "$s1", "$s2"], default="$s"}})
~|    parser.add_argument("--output", {{default=None||default=$KP||required=True}})
    return parser.parse_args()
---
def $F(path, $la={{None||","||$KS}}):
    $lb = []
    with open(path, newline=""{{, encoding="utf-8"||}}) as f:
        for row in csv.DictReader(f{{, delimiter=$la||}}):
            {{if not row["$f1"]:
                continue
            ||}}row["$f3"] = float(row["$f3"])
            $lb.append({{row||$E($f1=row["$f1"], $f2=int(row["$f2"]), $f3=row["$f3"])}})
~|    $lb.sort(key=lambda row: row["$f5"]{{, reverse=True||}})
    return $lb
---
def $F(rows{{, $la=$KI||}}):
    $lb = {{{}||defaultdict({{list||int||float}})}}
    for row in rows:
        $lc = row[{{"$f4"||"$f1"}}]{{.strip()||.lower()||}}
        {{if $lc not in $lb:
            $lb[$lc] = 0
        $lb[$lc] += row["$f3"]||$lb.setdefault($lc, []).append(row)||$lb[$lc] = $lb.get($lc, 0) + row["$f3"] * row["$f2"]}}
    return {{$lb||sorted($lb.items(), key=lambda item: item[1]{{, reverse=True||}})||dict($lb)}}
---
def $F($la, out=$KP):
    with open(out, "w"{{, newline=""||}}) as f:
        writer = csv.writer(f{{, delimiter=";"||}})
        writer.writerow(["$f1", "$f2", "$f3"])
        for $lb, $lc in $la{{.items()||}}:
            writer.writerow([$lb, {{$lc||round($lc, $i)||f"{$lc:.2f}"}}{{, "$w"||}}])
    print({{f"$t {out}"||"$t", out, len($la)}})
---
def $F($la, top={{None||$i}}):
    print("$T".{{center||ljust||upper}}({{$d||}}))
    for $lb, {{($lc, $ld)||$lc}} in {{enumerate($la)||enumerate($la, 1)||enumerate($la[:top])}}:
        print(f"{$lb:>3} {$lc:<20}{{ $w||}}")
~|    print("total:", sum($lx for _, $lx in $la))
---
def $F(folder, pattern="*.{{csv||json||log||txt}}"):
    $la = {}
    for path in {{Path(folder).glob(pattern)||sorted(Path(folder).rglob(pattern))||glob.glob(os.path.join(folder, pattern))}}:
        with open(path) as f:
            $lb = f.read()
        $la[{{path.name||path.stem||str(path)||os.path.basename(path)}}] = len($lb{{.split()||.splitlines()||}})
    return $la
---
def $F(text):
    """$S"""
    $la = re.{{match||search}}(r"(\w+)[:=] *(\d+)", text)
    if {{$la is None||not $la}}:
        {{return None||raise ValueError("$t")||return None, 0}}
    return $la.group(1){{.lower()||}}, int($la.group(2))
---
def $F(path={{$KP||"config.json"||None}}, $la=None):
    config = {
        "$w1": {{"$w"||$d}},
        "$w2": $d,
        "$w3": {{True||False||None}},
    }
~|    path = path or os.environ.get("{{CONFIG||SETTINGS}}", "config.json")
    if os.path.{{exists||isfile}}(path):
        with open(path) as f:
            config.update({{json.load(f)||yaml.safe_load(f)}})
~a|    for key in config:
~a|        value = os.environ.get(key.upper())
~a|        if value {{is not None||}}:
~a|            config[key] = {{value||int(value) if value.isdigit() else value}}
    return config
---
def $F($la):
    parser = configparser.ConfigParser()
    parser.read($la)
    return {
        "$w1": parser.get("$w", "$w1"{{, fallback="$w3"||}}),
        "$w2": parser.getint("$w", "$w2"{{, fallback=$d||}}),
~|        "$w4": parser.getboolean("$w", "$w4", fallback={{False||True}}),
    }
---
def $F($la, $lb="$w", {{*, ||}}$lc={{False||$i||None}}):
    $ld = subprocess.run([{{"git", "$v"||"$w", "--$w1"}}, $la]{{, capture_output=True, text=True||, check=True, cwd=$lb||, stdout=subprocess.PIPE, timeout=$d}})
    if $ld.returncode != 0:
        print("$t", $ld.stderr{{, file=sys.stderr||}})
        {{sys.exit(1)||return None||raise RuntimeError($lb)}}
    return $ld.stdout{{.strip()||.splitlines()||.split("\n")}}
'''
_ENDS_ARGS = r"""
def main():
    args = parse_args()
    {{log.info("$t %s", args)||print("$t")||$la = load(args.$w{{||}})}}
    try:
        $lb = {{run(args)||Path(args.path).read_text()||collect(args.path, limit=$KI)}}
    except {{FileNotFoundError||(OSError, ValueError) as error||KeyError as e}}:
        print("$t1"{{, file=sys.stderr||}})
        {{return 1||sys.exit(2)||raise SystemExit(1)}}
    print({{$lb||len($lb)||json.dumps($lb{{, indent=2||}})||"\n".join($lb)}})


if __name__ == "__main__":
    {{main()||sys.exit(main())}}
---
if __name__ == "__main__":
    {{logging.basicConfig(level=logging.{{INFO||DEBUG}}, format="%(asctime)s %(levelname)s %(message)s")
    ||}}$la = {{sys.argv[1]||$KP||sys.argv[1] if len(sys.argv) > 1 else "$w"}}
    {{print($la)||process($la)||for $lb in $KL:
        print($la, $lb)}}
"""
_CLICK = r'''
@cli.command({{||name="$w"||"$w"}})
@click.argument("$n1"{{, type=click.Path(exists=True)||}})
@click.option("--$n2", {{default=$d||default=$d, show_default=True||type=int, default=$d, help="$T"}})
@click.option("--$n3"{{, is_flag=True||, is_flag=True, help="$T"||, default="$s", help="$T"}})
def $F($n1, $n2, $n3):
    """$S"""
    $la = {{load_$w($n1)||read_$w($n1, limit=$n2)||[line.strip() for line in open($n1)]}}
    if $n3:
        click.echo({{"$T"||f"$t: {len($la)}"}}{{, err=True||}})
    for $lb in $la:
        click.echo({{$lb||f"{$lb} {$n2}"||click.style(str($lb), fg="green")||$lb, nl=False}})
---
@cli.command()
@click.option("--$n1", prompt={{True||"$W"}}, {{type=float||type=int||hide_input=True||default="$w"}})
@click.confirmation_option(prompt="$T?")
def $F($n1):
    if {{$n1 in $KL||$n1 > $KI||not $n1}}:
        raise click.{{ClickException("$t")||BadParameter("$t")||Abort()}}
    $la = $C($n1)
    $la.{{run()||save()||$v()}}
    click.secho("$T"{{, fg="green"||, fg="yellow", bold=True||}})
'''
_SENSOR = r"""
class $C:
    def __init__(self, port, $la=$KI, $lb={{0.0||$r}}):
        self.port = port
        self.$la = $la
        self.$lb = $lb
        self.readings = []

    def read(self):
        raw = self.port.readline(){{.decode("ascii")||.decode()||}}
        {{value = float(raw)||try:
            value = float(raw)
        except ValueError:
            return None}}
        self.readings.append(value + self.$lb)
~|        if len(self.readings) > self.$la:
~|            self.readings.pop(0)
        return value

    def average(self{{, n=$i||}}):
~|        if not self.readings:
~|            return {{0||None||0.0}}
        return sum(self.readings{{[-n:]||}}) / len(self.readings)
"""
_SENSOR = _SENSOR.replace("average(self{{, n=$i||}})", "average(self)").replace("{{[-n:]||}}", "")
_SENSOR_DEFS = r"""
def $F($la, unit={{"C"||"$w"}}):
    if unit == "F":
        return $la * 9 / 5 + 32
~|    elif unit == "K":
~|        return $la + 273.15
    return {{$la||round($la, $i)}}
---
def $F($lz, $la=$KF):
    $lb = open_port("/dev/ttyUSB0"{{, baudrate=9600||, baudrate=$KI, timeout=$i||}})
    while True:
        value = $lz.read()
        if value is None{{ or value < $i||}}:
            continue
        {{print(time.strftime("%H:%M:%S"), value)||print(f"{time.time():.0f} {value:.1f}")||$lb.write(f"{value}\n".encode())}}
        if value > {{$KI||$KF}}:
            {{alert("$T", value)||print("$t")
            break||send_mail($KS, subject="$T", body=f"$t: {value}")}}
        time.sleep({{$la||$i||$r}})
---
def $F(readings, low=$KF, high=$d):
    $la = [$lb for $lb in readings if {{low <= $lb <= high||$lb > low||$lb is not None}}]
~|    $lc = max($la) - min($la)
    return {
        "min": min($la{{, default=0||}}),
        "max": max($la),
        "mean": {{sum($la) / len($la)||round(statistics.mean($la), 2)}},
        "count": len($la),
    }
---
def $F(conn, $la, when={{None||""}}):
    conn.execute("INSERT INTO $m ({{value, at||at, value}}) VALUES (?, ?)", ($la, {{when or time.time()||when||datetime.datetime.now().isoformat()}}))
    conn.commit()
---
def $F(conn, $la={{$d||$KI}}):
    rows = conn.execute("SELECT $f1, $f3 FROM $os WHERE $f3 > ? ORDER BY $f5{{ DESC||}}", ($la,)).fetchall()
    return {{[row[0] for row in rows]||{$lb: $lc for $lb, $lc in rows}||rows}}
"""
GENRES = {
    "args": (_CLASSES, _ARGS, _ENDS_ARGS),
    "report": (_CLASSES, _ARGS, _ENDS_ARGS),
    "click": (_CLASSES, _CLICK + "---\n" + _ARGS, 'if __name__ == "__main__":\n    cli()'),
    "sensor": (_SENSOR + "---\n" + _CLASSES, _SENSOR_DEFS, _ENDS_ARGS),
}
GIVEN = {
    "cli": ('@click.group()\n{{@click.version_option("1.$i.0")\n||}}def cli():\n    """$S"""\n',),
    "lock": ("lock = threading.Lock()",),
    "jobs": ("jobs = queue.Queue({{||maxsize=$d}})", "jobs = queue.Queue()"),
    "stop": ("stop = threading.Event()",),
    "conn": ('conn = sqlite3.connect({{"$w.db"||$KP}})',),
    "session": ("session = requests.Session()",),
    "screen": (
        'pygame.init()\nscreen = pygame.display.set_mode(($KI, $KI1))\npygame.display.set_caption("$T")',
    ),
    "clock": ("clock = pygame.time.Clock()",),
    "console": ("console = Console()",),
    "window": ('window = tk.Tk()\nwindow.title("$T")',),
}
