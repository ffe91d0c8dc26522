"""`/model` and `/connect`: which models there are, and going on with another one.

Comes in: the workbench. Goes out: a switch of the conductor, and, where the person wants it, a line in their
settings. The list stands at once; servers are asked on threads and come into it as they answer. Must not
know: how a model is opened.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.backends import model_catalog
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.errors import SparkError
from spark_tui.tui.model_switch import ModelLoading, full_address
from spark_tui.tui.screens import settings_effects
from spark_tui.tui.screens.picker import Choice, Picker, PickerKey

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench

_SAID = re.compile(r"/(model|connect)(?:[ \t]+(\S+))?")
_REMEMBER = PickerKey("ctrl+s", "Ctrl+S", "make it the default")


def said(bench: Workbench, text: str) -> bool:
    """`/model`, `/model qwen` or `/connect host:8000` as a prompt: pasted, or brought back. Whether it was
    one."""
    found = _SAID.fullmatch(text.strip())
    if found is None:
        return False
    word, about = found.groups()
    if word == "model":
        choose(bench, query=about or "")
    elif not about:
        connect(bench)
    elif (typed := typed_address(about)) is not None:
        choose(bench, typed.value)
    else:
        # Behind the prompt's own emptying, which clears what is said at the rim.
        bench.call_after_refresh(
            bench.say, f"{about} is not an address; use host:8000 or https://host/v1", True
        )
    return True


def choose(bench: Workbench, address: str = "", *, query: str = "") -> None:
    """Every model that could be used, or those of one server. Ctrl+S also keeps the choice in the person's
    settings."""
    offers: dict[str, ModelOffer] = {}
    title = f"model of {model_catalog.server_label(address)}" if address else "model"
    picker = Picker(
        title,
        (),
        bench.palette,
        takes="switch",
        keys=(_REMEMBER,),
        nothing="no matching model",
        query=query,
    )

    def take(value: str | None) -> None:
        offer = offers.get(value or "")
        if offer is None:
            return
        if not offer.usable:
            bench.say(f"{offer.name} {offer.what}", True)
            return
        bench.later(partial(switch, bench, offer, picker.pressed == _REMEMBER.key))

    bench.lay_over(picker, take)
    bench.later(partial(_fill, bench, picker, offers, address))


def connect(bench: Workbench) -> None:
    """A server that is known, or the address that is typed."""
    known = model_catalog.known_servers(bench.conductor.settings or bench.start.settings)
    choices = [
        Choice(model_catalog.server_label(address), address, name or address) for name, address in known
    ]

    def take(value: str | None) -> None:
        if value is not None:
            choose(bench, value)

    picker = Picker(
        "connect to",
        choices,
        bench.palette,
        also=typed_address,
        takes="list its models",
        nothing="type an address, as host:8000 or https://host/v1",
    )
    bench.lay_over(picker, take)


def typed_address(query: str) -> Choice | None:
    """What is typed, where it can be an address."""
    try:
        address = full_address(query)
    except SparkError:
        return None
    return Choice(address, address, "typed address")


async def _fill(bench: Workbench, picker: Picker, offers: dict[str, ModelOffer], only: str) -> None:
    settings = bench.conductor.settings or bench.start.settings

    def add(found: list[ModelOffer]) -> None:
        fresh = {f"{offer.connect}\n{offer.model}\n{offer.replay}\n{offer.name}": offer for offer in found}
        offers.update(fresh)
        picker.add(_choices(bench, fresh))

    async def ask(name: str, address: str) -> None:
        try:
            found = await asyncio.to_thread(model_catalog.server_models, settings, address)
        except SparkError as error:
            found = [
                ModelOffer(
                    name or model_catalog.server_label(address),
                    f"no answer: {error.what}",
                    address,
                    usable=False,
                )
            ]
        add(
            found
            or [
                ModelOffer(
                    name or model_catalog.server_label(address), "offers no models", address, usable=False
                )
            ]
        )

    servers = [("", only)] if only else model_catalog.known_servers(settings)
    if servers:
        picker.say(
            "asking " + ", ".join(name or model_catalog.server_label(address) for name, address in servers)
        )
    if not only:
        add(await asyncio.to_thread(model_catalog.local_models, settings))
    await asyncio.gather(*(ask(name, address) for name, address in servers))
    picker.say("")


def _choices(bench: Workbench, offers: Mapping[str, ModelOffer]) -> list[Choice]:
    settings, name = (
        bench.conductor.settings,
        "" if bench.conductor.opening else bench.conductor.session.backend.name,
    )
    out = []
    for value, offer in offers.items():
        here = settings is not None and (
            offer.is_of(settings)
            or (offer.connect == settings.connect != "" and name.endswith(f"/{offer.name}"))
        )
        mark = "●" if here else "○" if offer.usable else "!"
        where = settings_effects.home(Path(offer.where)) if offer.where.startswith("/") else offer.where
        out.append(Choice(offer.name, value, " · ".join(filter(None, (offer.what, where))), mark=mark))
    return out


async def switch(bench: Workbench, offer: ModelOffer, remember: bool = False) -> None:
    """Load it beside what runs; it takes over when it is ready."""
    conductor = bench.conductor
    if conductor.settings is None:
        bench.say("the session is still opening", True)
        return
    loading = ModelLoading(offer.name, offer.settings(conductor.settings), bench.start.open_model)
    backend = await conductor.switch(loading)
    if backend is None:
        return
    bench.wafer.listen_to(backend)
    conductor.warm(bench.prompt.text)
    if remember:
        chosen = {"model.name": offer.model, "model.connect": offer.connect, "model.replay": offer.replay}
        await settings_effects.keep(bench, chosen)
