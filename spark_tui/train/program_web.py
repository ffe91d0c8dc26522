"""Parts of web services and chat bots: routes, handlers, clients.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

_CLASSES = r"""
class $C:
    def __init__(self, $la, timeout=$d, session=None):
        self.$la = $la
        self.timeout = timeout
        self.session = session or requests.Session()

    def _url(self, path):
        return self.$la{{.rstrip("/")||}} + "/" + path

    def $v(self, $lb, $lc=None):
        r = self.session.get(self._url("$w"), params={"$w2": $lb, "$w3": $lc}{{, timeout=self.timeout||}})
        r.raise_for_status()
        return r.json(){{["$w1"]||.get("$w1", [])||}}

    def $v1(self, $e):
        body = {
            "$f1": $e.$f1,
            "$f2": $e.$f2,
            "$f4": $e.$f4,
        }
        r = self.session.post(self._url("$w"), json=body, headers={"Accept": "application/json"}{{, timeout=self.timeout||}})
        if r.status_code {{!= 201||>= 400||== 409}}:
            raise {{RuntimeError||ValueError}}({{"$t"||f"$t: {r.status_code}"||"$t: " + r.text}})
        return r.json()
---
class $C(BaseModel):
    $f1: str
    $f2: int = $i
    $f3: float
    $f4: {{str = "$s"||Optional[str] = None}}
~|    $f6: {{list[str] = []||List[str] = Field(default_factory=list)}}


class $C1(BaseModel):
    id: int
    $f1: str
    $f4: str
~|    $f3: {{float||Optional[float] = None}}
---
class $C:
    $w = "$s"

    def __init__(self, user, $la=None):
        self.user = user
        self.$la = $la or []

    def can_$v(self, $e):
        return $e.$g1 == self.user.id or self.user.is_{{admin||staff||owner}}

    def $v1(self, $e, **kwargs):
        if not self.can_$v($e):
            raise PermissionError("$t")
        for $lb, $lc in kwargs.items():
            setattr($e, $lb, $lc)
        self.$la.append($e)
        return $e
"""
_FLASK = r"""
@app.route("/$w1"{{||, methods=["GET"]}})
def $F():
    $la = request.args.get("$w", {{"$s"||type=int, default=$d||$i, type=int||""}})
    $es = $E.query{{.filter_by($f4=$la)||}}.order_by($E.$f5{{.desc()||}}).limit({{$d||$KI}}).all()
    return {{jsonify([{"$f1": $n.$f1, "$f2": $n.$f2} for $n in $es])||render_template("$w1.html", $es=$es, $la=$la)||render_template("$w1.html", $es=$es, title="$T", count=len($es))}}
---
@app.route("/$w1/<int:${e}_id>")
{{@login_required
||
@login_required
||}}def $F(${e}_id):
    $e = $E.query.get{{_or_404||}}(${e}_id)
~a|    if $e is None:
~a|        abort({{404||400||410}})
~|    $la = sum($n.$g2 * $n.$g3 for $n in $e.$f6)
    return jsonify({{id=$e.id, $f1=$e.$f1, $f2=$e.$f2, $f4=$e.$f4||{"id": $e.id, "$f1": $e.$f1, "$f4": $e.$f4}||$e.to_dict()}})
---
@app.route("/$w1", methods=["POST"])
def $F():
    data = request.get_json({{||force=True||silent=True}})
~a|    if not data{{ or "$f1" not in data||}}:
~a|        return jsonify({"error": "$t"}), {{400||422||500}}
    $e = $E($f1=data["$f1"], $f2={{int(data["$f2"])||data.get("$f2", $i)}}, $f4="$s")
    db.session.add($e)
    db.session.commit()
~|    {{app.logger||log}}.info("$w %s $s", $e.id)
    return jsonify({"id": $e.id, "$f4": $e.$f4}){{, 201||, 200||}}
---
@app.route("/$w1/<${o}_id>/$w2", methods=["POST"{{, "PUT"||}}])
def $F(${o}_id):
    $o = db.session.get($O, ${o}_id)
    if $o is None{{ or $o.$f4 == "$s1"||}}:
        {{abort(404)||return jsonify({"error": "$t"}), 404||flash("$T", "error")}}
~|    if $o.$g2 {{>||>=||<}} {{$d||$KI}}:
~|        return jsonify({"error": "$t1"}), {{400||409||403}}
    $o.$f4 = "$s"
    $o.$g2 {{+= 1||-= 1||= 0}}
    db.session.commit()
    return {{redirect(url_for("$w"))||jsonify(ok=True)||jsonify({"ok": True, "$g2": $o.$g2})||"", 204}}
---
@app.errorhandler({{404||500||403}})
def $F(error):
    return {{render_template("$w.html", message="$T")||jsonify({"error": "$t", "detail": str(error)})}}, {{404||500||403}}
---
@app.before_request
def $F():
    $la = request.headers.get("{{X-Token||Authorization||X-Api-Key}}"{{||, ""}})
    if request.path {{in $KL||!= "/$w"}} and $la != $KS:
        {{abort(401)||return jsonify({"error": "$t"}), 401}}
---
def $F($e, $la=$KI):
    $lb = {{request.args.get("page", 1, type=int)||int(request.args.get("page", 1))}}
    $lc = $e.$f6[($lb - 1) * $la : $lb * $la]
    return {
        "$w": [{{$n.$g1||$n.to_dict()||str($n)}} for $n in $lc],
        "page": $lb,
        "total": len($e.$f6),
    }
"""
_FASTAPI = r"""
def $F(db: Session, $la: {{int||str}}) -> {{Optional[$E]||$E}}:
    return db.query($E).filter($E.{{id||$f1}} == $la).{{first()||one_or_none()}}
---
@{{app||router}}.get("/{{||$w1||$w1/all}}"{{||, response_model=list[$C]||, tags=["$w"]}})
{{async ||}}def $F($f4: {{Optional[str] = None||str = "$s"}}, limit: int = $d, db: Session = Depends(get_db)):
    q = db.query($E){{.filter($E.$f3 > $i)||}}
    if $f4 {{is not None||!= "$s1"}}:
        q = q.filter($E.$f4 == $f4)
    return q.order_by($E.$f5.desc()).limit(limit).all()
---
@{{app||router}}.get("/$w1/{${e}_id}"{{||, response_model=$C||, response_model=$C, name="$w"}})
def $F(${e}_id: int, db: Session = Depends(get_db), $la: bool = {{False||True}}):
    $e = db.get($E, ${e}_id)
    if {{not $e||$e is None}}:
        raise HTTPException(status_code={{404||400||410}}, detail={{"$T"||f"$t {${e}_id}"}})
~a|    if $la:
~a|        $e.$f6 = [$n for $n in $e.$f6 if $n.$g2 {{>||>=||<}} $i]
    return $e
---
@{{app||router}}.post("/$w1"{{||, status_code=201||, response_model=$C}})
{{async ||}}def $F(body: $C1, {{request: Request, ||}}db: Session = Depends(get_db), user=Depends(current_user)):
    $e = $E($f1=body.$f1{{.strip()||}}, $f2=body.$f2, $f4="$s", $f5=datetime.datetime.{{utcnow()||now()}})
~a|    for $n in body.$f6:
~a|        $e.$f6.append($O($g1=$n.$g1, $g2=$n.$g2, $g3=$n.$g3))
    db.add($e)
    db.commit()
~|    db.refresh($e)
~|    {{print("$w", $e.id)||log.info("$s $w %s by %s", $e.id, user.id)||print(f"$t {$e.id}")}}
~|    {{send_$w1(user.email, "$T", f"$T1 {$e.$f1}")||notify(user, subject="$T", body="$t")}}
    return $e
---
@{{app||router}}.{{post||put||delete}}("/$w1/{${e}_id}/$w2")
def $F(${e}_id: int, db: Session = Depends(get_db)):
    $e = db.query($E).get(${e}_id)
    if $e.$f4 {{== "$s"||!= "$s"||in ("$s", "$s1")}}:
        raise HTTPException(status_code=409, detail="$T")
~|    if datetime.datetime.now() - $e.$f5 > datetime.timedelta({{days=$i||hours=$d||minutes=$d}}):
~|        raise HTTPException({{400, "$T"||status_code=403, detail="$T1"}})
    $e.$f4 = "$s2"
    db.commit()
    return {{{"ok": True}||{"ok": True, "$f4": $e.$f4}}}
---
async def $F($la: str, $lb: int = $d):
    async with httpx.AsyncClient({{||timeout=$lb}}) as client:
        response = await client.get(f"{$KS}/{$la}"{{, params={"$w": $lb}||}})
    {{response.raise_for_status()||if response.status_code != 200:
        return None}}
    return response.json(){{["$w1"]||.get("$w1")||}}
"""
_BOT = r"""
@bot.command({{name="$w"||name="$w", aliases=["$w1"]||help="$T"||}})
{{@commands.cooldown(1, $d, commands.BucketType.user)
||
@commands.has_permissions(manage_messages=True)
||}}async def $F(ctx, $la: {{int = $i||str||int}}, *, $lb{{="$w"||}}):
    if {{$la in $KL||len($lb) > $KI||not $lb||str(ctx.author.id) in $KL}}:
        await ctx.send({{"$T"||f"$T {$lb}"}}{{, delete_after=$i||}})
        return
~|    $lc = [$n for $n in ctx.guild.{{members||channels||roles}} if not $n.{{bot||name.startswith("$w")}}]
    await ctx.send(f"{ctx.author} $t: {$lb}"{{, tts=True||}})
---
@bot.event
async def on_message(message):
    if message.author{{ == bot.user||.bot}}:
        return
    content = message.content{{.lower()||}}
    if content.startswith("!$w"):
        await message.channel.send("$T")
    elif content{{ == "!$w1"||.startswith("!$w1 ")}}:
        $la = {{random.choice($KL)||content.split()[1]||$KD.get(content, "$w")}}
        await message.channel.send(f"$t: {$la}")
~|    elif "$w2" in content:
~|        await message.add_reaction("$w")
~|    else:
~|        {{return||await message.channel.send("$T1")}}
~|    await bot.process_commands(message)
---
@bot.event
async def on_ready():
    print({{f"{bot.user} $t"||"$t", bot.user.name}})
    {{await bot.change_presence(activity=discord.Game(name="$w"))||channel = bot.get_channel($d)
    await channel.send("$T")}}
---
@bot.event
async def on_member_join(member):
    channel = bot.get_channel({{$KI||$d}})
    if channel is {{None||not None}}:
        {{return||await channel.send(f"$T, {member.mention}!")}}
    embed = discord.Embed(title="$T", description=f"{member.name} $t", color=0x00FF00)
    embed.add_field(name="$W", value=member.{{id||created_at}}, inline={{False||True}})
    await {{channel||member}}.send(embed=embed)
---
async def $F(url, $la=$i):
    while True:
        try:
            async with aiohttp.ClientSession({{||headers={"User-Agent": $KS}}}) as session:
                async with session.get(url) as resp:
                    return await resp.{{json()||text()}}
        except aiohttp.ClientError{{ as e||}}:
            {{$la -= 1
            if $la == 0:
                raise||print("$t", url)
            await asyncio.sleep($i)}}
---
class $C(commands.Cog):
    def __init__(self, bot):
        self.bot = bot
        self.$la = {{{}||[]||0}}

    @commands.command({{name="$w"||}})
    async def $v(self, ctx, member: discord.Member{{ = None||}}):
        {{member = member or ctx.author
        ||}}$lb = $KD.get(str(member.id), $i)
        await ctx.send(f"{member.name}: {$lb} $w1")

    @tasks.loop({{minutes=$i||seconds=$d}})
    async def $v1(self):
        for guild in self.bot.guilds:
            $lc = discord.utils.get(guild.text_channels, name="$w2")
            if $lc {{is not None||and len(guild.members) > $d}}:
                await $lc.send("$T")
"""
_DJANGO = r"""
class $E(models.Model):
    $f1 = models.CharField(max_length={{$d||100||200}}{{, blank=True||}})
    $f2 = models.{{IntegerField(default=$i)||PositiveIntegerField(default=0, db_index=True)}}
    $f4 = models.CharField(max_length=20, choices=$KL, default="$s")
~|    $f5 = models.DateTimeField({{auto_now_add=True||null=True, blank=True}})

    class Meta:
        ordering = ["{{-||}}$f5"]

    def __str__(self):
        return {{self.$f1||f"{self.$f1} ({self.$f2})"||"%s %s" % (self.$f1, self.$f4)}}
---
@login_required
def $F(request, pk):
    $e = get_object_or_404({{$E, pk=pk||$E, pk=pk, $g1=request.user}})
    if request.method == "POST":
        form = ${E}Form(request.POST{{, request.FILES||}}, instance=$e)
        if form.is_valid():
            {{form.save()||$e = form.save(commit=False)
            $e.$g1 = request.user
            $e.save()}}
~|            messages.success(request, "$T")
            return redirect("$w", {{pk=$e.pk||$e.pk}})
    else:
        form = ${E}Form(instance=$e)
    return render(request, "$w/$w1.html", {"form": form, "$e": $e})
---
def $F(request):
    $es = $E.objects.filter($f4="$s"{{, ${f2}__gte=$i||}}).{{select_related("$g1").||}}order_by("{{-||}}$f5"){{[:$d]||}}
~a|    $la = request.GET.get("q"{{||, ""}})
~a|    if $la:
~a|        $es = $es.filter(${f1}__icontains=$la)
    return render(request, "$w/$w1.html", {
        "$es": $es,
        "total": {{$es.count()||len($es)||sum($n.$f3 for $n in $es)}},
    })
---
def $F(request, $f1):
    try:
        $e = $E.objects.get($f1=$f1)
    except $E.DoesNotExist:
        return JsonResponse({"error": "$t"}, status={{404||400}})
    return JsonResponse({"$f1": $e.$f1, "$f2": $e.$f2, "$f4": $e.$f4}{{, safe=False||}})
"""
GENRES = {
    "flask": (
        _CLASSES,
        _FLASK,
        'if __name__ == "__main__":\n    app.run({{debug=True||host="0.0.0.0", port=$d||port=$d, debug=False}})',
    ),
    "fastapi": (_CLASSES, _FASTAPI, ""),
    "bot": (_CLASSES, _BOT, 'bot.run({{$KS||os.environ["TOKEN"]||os.getenv("BOT_TOKEN")}})'),
    "django": ("", _DJANGO, ""),
}
GIVEN = {
    "app": (
        "app = Flask(__name__)",
        'app = Flask(__name__, static_folder="$w")\napp.config["{{SECRET_KEY||DATABASE}}"] = $KS',
    ),
    "fastapi app": ('app = FastAPI(title="$T"{{, version="0.$i"||}})', "app = FastAPI()"),
    "router": ('router = APIRouter(prefix="/$w", tags=["$w"])', "router = APIRouter()"),
    "bot": (
        'bot = commands.Bot(command_prefix="{{!||?||$}}", intents=discord.Intents.{{all()||default()}})',
    ),
    "log": ('log = logging.getLogger({{__name__||"$w"}})',),
    "logger": ("logger = logging.getLogger(__name__)",),
}
