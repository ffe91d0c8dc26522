"""Parts of workers, schedulers, mailers and games: what runs in a loop.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

_WORKERS = r"""
class $C(threading.Thread):
    def __init__(self, {{jobs||queue}}, $la=None{{, retries=$i||}}):
        super().__init__({{daemon=True||name="$w", daemon=True||}})
        self.{{jobs = jobs||jobs = queue}}
        self.$la = $la{{ or []||}}
        self.running = True

    def run(self):
        while self.running:
            job = self.jobs.get({{timeout=$i||}})
            if job is None:
                {{break||self.running = False
                continue}}
            try:
                self.$v(job)
            except {{Exception as e||(ValueError, KeyError) as e||OSError as e}}:
                {{log.error("$t: %s", e{{||, exc_info=True}})||print("$t", e)||self.$la.append(e)}}
            self.jobs.task_done()

    def $v(self, job):
        {{print(job.$f1, job.$f2)||job.$f4 = "$s"||return handle(job, retries=$i, $w=self.$la)}}
---
class $C:
    def __init__(self, $la=$KI, {{delay=$KF||delay=$r}}):
        self.$la = $la
        self.delay = delay
        self.jobs = []
        self.{{errors = 0||failed = []||last = None}}

    def every(self, seconds, $v):
        self.jobs.append({"every": seconds, "run": $v, "next": time.time(), "last": None})

    def run(self):
        while True:
            for job in self.jobs:
                if {{job["next"] <= time.time()||time.time() >= job["next"]}}:
                    job["run"]()
                    job["next"] {{+= job["every"]||= time.time() + job["every"]}}
            time.sleep({{self.delay||$i}})
---
class $C:
    def __init__(self, host=$KS, port=$d, user=None{{, tls=True||}}):
        self.host = host
        self.port = port
        self.user = user
        self.sent = []

    def send(self, to, subject, body{{, html=False||}}):
        message = {"to": to, "subject": subject{{.strip()||}}, "body": body}
        with smtplib.SMTP(self.host, self.port{{, timeout=$d||}}) as server:
            {{server.starttls()
            ||}}server.login(self.user, os.environ["MAIL_PASSWORD"])
            server.sendmail(self.user, {{to||[to]}}, json.dumps(message))
        self.sent.append({{message||to||(to, subject)}})
"""
_WORKER_DEFS = r"""
def $F($la, $lb={{jobs||None}}):
    while {{True||not stop.is_set()}}:
        {{try:
            $lc = jobs.get(timeout=$i)
        except queue.Empty:
            {{break||continue||return}}||$lc = jobs.get()}}
        if $lc.$f4 {{== "$s"||!= "$s"||in $KL}}:
            $lc.$f4 = "$s1"
            $la.append($lc.$f1)
        {{elif $lc.$f2 > $KI:
            $lc.$f2 -= 1
            jobs.put($lc)
        ||}}jobs.task_done()
---
def $F(count=$i{{, $la=$KI||}}):
    workers = []
    for $lb in range(count):
        worker = threading.Thread(target=$v{{, args=($lb,)||, daemon=True||, args=(jobs, $lb), name=f"$w-{$lb}"}})
        worker.start()
        workers.append(worker)
    for worker in workers:
        worker.join({{||timeout=$d}})
    return {{workers||len(workers)}}
---
async def $F($la, limit=$KI):
    $lb = asyncio.Semaphore(limit)

    async def one($lc):
        async with $lb:
            {{await asyncio.sleep($r)
            ||}}return await $v($lc{{, timeout=$d||}})

    $ld = await asyncio.gather(*[one($n) for $n in $la]{{, return_exceptions=True||}})
    return {{$ld||[$n for $n in $ld if $n{{ is not None||}}]||dict(zip($la, $ld))}}
---
async def $F(queue, $la=$KF):
    while True:
        $lb = await queue.get()
        try:
            await {{send_$w($lb.$f1, subject="$T", retries=$i)||asyncio.wait_for(handle_$w($lb), timeout=$d)}}
        except {{asyncio.TimeoutError||Exception as error}}:
            {{log.warning("$t %s", $lb.$f1)||print("$t")||$lb.$f2 += 1}}
        finally:
            queue.task_done()
~|        await asyncio.sleep($la)
---
def $F($la, retries=$i, delay={{$KF||$r}}):
    for attempt in range({{retries||1, retries + 1}}):
        try:
            return requests.get($la{{, timeout=$d||, headers={"User-Agent": $KS}, timeout=$d||, params={"$w": $d}}}).{{json()||text}}
        except requests.{{RequestException||ConnectionError||Timeout}}{{ as e||}}:
            print({{f"$t {attempt}"||"$t", attempt||"$t:", $la}})
            time.sleep({{delay||delay * attempt||delay * 2 ** attempt}})
    {{return None||raise RuntimeError("$t1")||return {}}}
---
def $F(folder, seen={{None||()}}):
    {{seen = set(seen or [])||seen = list(seen or [])}}
    while True:
        for name in {{os.listdir(folder)||sorted(os.listdir(folder))}}:
            path = os.path.join(folder, name)
            if name in seen{{ or not name.endswith(".{{csv||txt||json}}")||}}:
                continue
            {{seen.add(name)||print("$w", path)||process_$w(path, backup=True, folder=folder)}}
            shutil.move(path, os.path.join({{$KP||folder, "$w"}}, name))
        time.sleep($d)
---
def $F($es, $la=None, dry_run=False):
    $lb = {{0||[]}}
    for $e in $es:
        if $e.$f5 {{is None||> date.today()||< $la}}:
            continue
        if dry_run:
            print("$t", $e.$f1)
        else:
            {{mailer.send($e.$f1, subject="$T", body=f"$t {$e.$f2}")||$e.save(update_fields=["$f4", "$f5"])||notify($e, $KS, level="$w")}}
    return $lb
---
def $F():
    schedule.every($d).{{minutes||seconds||hours}}.do($v{{, $w=$i||}})
    schedule.every().{{day.at("0$i:30")||monday||hour}}.do({{$v1||$v, "$w"}})
    while {{True||not stop.is_set()}}:
        schedule.run_pending()
        time.sleep($i)
"""
_GAME_CLASSES = r"""
class $C:
    def __init__(self, x, y, $la=$KI{{, color="$w"||}}):
        self.x = x
        self.y = y
        self.$la = $la
        self.alive = True

    def update(self, dt):
        self.x += self.$la * dt
        if self.x {{> $KI||< 0||> $KI or self.x < 0}}:
            {{self.x = 0||self.alive = False||self.$la = -self.$la}}
~|        self.y = max(0, min(self.y, $d))

    def hits(self, other):
        return {{abs(self.x - other.x) < $d and abs(self.y - other.y) < $d||self.rect.colliderect(other.rect)||math.hypot(self.x - other.x, self.y - other.y) < $KI}}
---
class $C:
    def __init__(self, name, $la=$d):
        self.name = name
        self.$la = $la
        self.$lb = {{[]||{}}}
        self.level = 1

    def take(self, $n):
        if {{$n in self.$lb||len(self.$lb) >= $KI}}:
            {{return False||print("$T")
            return}}
        {{self.$lb.append($n)||self.$lb[$n.name] = $n}}

    def $v(self, other, damage=$i):
        other.$la -= damage * self.level
        if other.$la <= 0:
            print(f"{self.name} $t {other.name}")
            {{self.level += 1||return True}}
~|        return False
"""
_GAME_DEFS = r"""
def $F({{player||hero}}, $es=None):
    running = True
    score = 0
    while running:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                running = False
            elif event.type == pygame.KEYDOWN:
                if event.key == pygame.{{K_LEFT||K_a}}:
                    {{player||hero}}.x -= $d
                elif event.key == pygame.{{K_RIGHT||K_d}}:
                    {{player||hero}}.x += $d
                elif event.key == pygame.K_ESCAPE:
                    {{running = False||return score}}
        screen.fill({{(0, 0, 0)||$KD["$w"]||"black"}})
        {{for $e in $es:
            $e.update(clock.get_time())
            if $e.hits({{player||hero}}):
                score += $d
        ||}}pygame.display.flip()
        clock.tick({{$KI||60||$d}})
---
def $F($la, $lb):
    {{while True:
        answer = input("$T? "){{.strip()||.lower()||.strip().lower()||}}
        if answer == "$w":
            $la.$f2 += $d
            print("$T1")
        elif answer {{== "$w1"||in ("q", "quit")}}:
            {{break||return $lb}}
        else:
            print({{"$t"||f"$t: {answer}"||"$t", $la.$f1}})||for $n in $lb:
        if $n.$f2 > $la.$f2:
            print("$t", $n.$f1)
            $la.$f2 -= $i}}
    return $la
---
def $F(width=$KI, height=$KI1, {{fill=" "||bombs=$i}}):
    grid = [[{{"."||0||fill||None}} for _ in range(width)] for _ in range(height)]
    for $la in range({{$i||$KI}}):
        x = random.{{randint(0, width - 1)||randrange(width)}}
        y = random.{{randint(0, height - 1)||randrange(height)}}
        grid[y][x] = {{"#"||1||random.choice($KL)}}
    return grid
---
def $F(board{{, empty="."||}}):
    for row in range(len(board)):
        for col in range(len(board[row])):
            if board[row][col] {{== "#"||is None||!= 0}}:
                {{return row, col||print(row, col)||board[row][col] = "$w"}}
---
def $F(score, path=$KP):
    best = {{0||load_$w(path)||None}}
    if {{score > best||best is None or score > best}}:
        with open(path, "w") as f:
            f.write(str(score))
        print({{"$T", score||f"$T: {score}"}})
    return max(score, {{best||$d}})
---
def $F($la):
    x, y = $la.x, $la.y
    text = font.render(f"$W: {$la.$f2}", True, (255, 255, 255))
    screen.blit(text, {{(x, y)||(10, $d)||text.get_rect(center=(x, y - $d))}})
    pygame.draw.{{rect(screen, $KD["$w"], (x, y, $d, $d1))||circle(screen, (200, 30, 30), (x, y), $d)||line(screen, "white", (x, y), (0, 0), width=$i)}}
---
def $F(rooms, start={{"$w"||None}}):
    here = start
    while here in rooms:
        room = rooms[here]
        print(room["name"]{{, room["items"]||}})
        command = input("> ").split()
        if not command:
            continue
        if command[0] == "go":
            here = room["exits"].get(command[1], here)
        elif command[0] {{== "take"||in ("take", "get")}}:
            $la = room["items"].pop({{0||}})
            print({{f"$t {$la}"||"$T", $la}})
        elif command[0] == "quit":
            {{break||return here}}
~|        else:
~|            print("$T")
"""
_END = r"""
if __name__ == "__main__":
    {{main()||logging.basicConfig(level=logging.INFO)
    $w = run($KI)||asyncio.run(main())}}
---
def main():
    $la = {{load($KP)||[1, 2, 3]||build(name="$w", size=$d)}}
    {{try:
        run($la{{||, delay=$KF}})
    except KeyboardInterrupt:
        print("$t")||run($la)}}


if __name__ == "__main__":
    main()
"""
GENRES = {
    "worker": (_WORKERS, _WORKER_DEFS, _END),
    "scheduler": (_WORKERS, _WORKER_DEFS, _END),
    "game": (_GAME_CLASSES, _GAME_DEFS, _END),
}
