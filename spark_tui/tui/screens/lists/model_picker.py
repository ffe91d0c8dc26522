"""`/model` and `/connect`: lists the models and switches to one. Servers are asked on threads and their
models are added as they answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from spark_tui.backends import model_catalog
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.config.paths import with_tilde
from spark_tui.errors import SparkError, without_query
from spark_tui.tui.screens import settings_effects
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker, PickerKey
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.settings.model_switch import ModelLoading, full_address

_REMEMBER = PickerKey("ctrl+s", "Ctrl+S", "make it the default")


def choose(host: WorkbenchHost, address: str = "", *, query: str = "") -> None:
    """Every model that could be used, or those of one server. Ctrl+S also keeps the choice in the person's
    settings."""
    offers: dict[str, ModelOffer] = {}
    title = f"switch to a model of {model_catalog.server_label(address)}" if address else "switch to a model"
    picker = Picker(
        title, (), host.palette, takes="switch", keys=(_REMEMBER,), nothing="no matching model", query=query
    )

    def take(value: str | None) -> None:
        offer = offers.get(value or "")
        if offer is None:
            return
        if not offer.usable:
            host.show_message(f"{offer.name} {offer.what}", True)
            return
        remember = picker.pressed == _REMEMBER.key
        if not _is_in_use(host, offer):
            host.start_task(partial(switch, host, offer, remember))
        elif remember:
            host.start_task(partial(_remember, host, offer))
        else:
            host.show_message(f"{offer.name} is in use already")

    host.push_overlay(picker, take)
    host.start_task(partial(_fill, host, picker, offers, address))


def connect(host: WorkbenchHost, address: str = "") -> None:
    """List the models of this server; without an address, the servers that are known."""
    if address:
        if (typed := typed_address(address)) is not None:
            choose(host, typed.value)
        else:
            host.show_message(
                f"{without_query(address)} is not an address; use host:8000 or https://host/v1", True
            )
        return
    known = model_catalog.known_servers(host.controller.settings or host.start.settings)
    label = model_catalog.server_label
    choices = [ChoiceRow(label(address), address, name or without_query(address)) for name, address in known]

    def take(value: str | None) -> None:
        if value is not None:
            choose(host, value)

    picker = Picker(
        "connect to",
        choices,
        host.palette,
        also=typed_address,
        takes="list its models",
        nothing="type an address, as host:8000 or https://host/v1",
    )
    host.push_overlay(picker, take)


def typed_address(query: str) -> ChoiceRow | None:
    """What is typed, where it can be an address."""
    try:
        address = full_address(query)
    except SparkError:
        return None
    return ChoiceRow(address, address, "typed address")


async def _fill(host: WorkbenchHost, picker: Picker, offers: dict[str, ModelOffer], only: str) -> None:
    settings = host.controller.settings or host.start.settings

    def add(found: list[ModelOffer]) -> None:
        fresh = {f"{offer.connect}\n{offer.model}\n{offer.replay}\n{offer.name}": offer for offer in found}
        offers.update(fresh)
        picker.add(_choices(host, fresh))

    async def ask(name: str, address: str) -> None:
        found, why = [], "offers no models"
        try:
            found = await asyncio.to_thread(model_catalog.server_models, settings, address)
        except SparkError as error:
            why = error.what
        add(found or [ModelOffer(name or model_catalog.server_label(address), why, address, usable=False)])

    servers = [("", only)] if only else model_catalog.known_servers(settings)
    if servers:
        names = (name or model_catalog.server_label(address) for name, address in servers)
        picker.say("asking " + ", ".join(names))
    if not only:
        add(await asyncio.to_thread(model_catalog.local_models, settings))
    await asyncio.gather(*(ask(name, address) for name, address in servers))
    picker.say("")


def _choices(host: WorkbenchHost, offers: Mapping[str, ModelOffer]) -> list[ChoiceRow]:
    out = []
    for value, offer in offers.items():
        here = _is_in_use(host, offer)
        mark = "●" if here else "○" if offer.usable else "!"
        where = with_tilde(Path(offer.where)) if offer.where.startswith("/") else offer.where
        about = " · ".join(filter(None, ("in use" if here else "", offer.what, where)))
        out.append(ChoiceRow(offer.name, value, about, mark=mark, current=here))
    return out


def _is_in_use(host: WorkbenchHost, offer: ModelOffer) -> bool:
    settings = host.controller.settings
    if settings is None:
        return False
    of_server = host.controller.session.backend.name.endswith(f"/{offer.name}")
    return offer.is_of(settings) or (offer.connect == settings.connect != "" and of_server)


async def switch(host: WorkbenchHost, offer: ModelOffer, remember: bool = False) -> None:
    """Load it in the background; it is used when it is ready."""
    controller = host.controller
    await controller.opened()
    loading = ModelLoading(offer.name, offer.settings(controller.session.settings), host.start.open_model)
    backend = await controller.switch(loading)
    if backend is None:
        return
    host.wafer.listen_to(backend)
    if remember:
        await _remember(host, offer)


async def _remember(host: WorkbenchHost, offer: ModelOffer) -> None:
    chosen = {"model.name": offer.model, "model.connect": offer.connect, "model.replay": offer.replay}
    await settings_effects.keep(host, chosen)
