# ruff: noqa: E501 - tables
"""Where the names that programs use come from.

Comes in: nothing. Goes out: tables. Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.sayings import words

STANDARD = words(
    "argparse asyncio base64 collections configparser contextlib csv dataclasses datetime enum functools glob hashlib io "
    "itertools json logging math os pathlib queue random re shutil signal smtplib socket sqlite3 statistics string "
    "subprocess sys tempfile threading time typing uuid"
)
"""Modules that are there without installing."""
MODULES = {name: f"import {name}" for name in STANDARD} | {
    "np": "import numpy as np", "pd": "import pandas as pd", "plt": "import matplotlib.pyplot as plt", "requests": "import requests", "messages": "from django.contrib import messages",
    "click": "import click", "pygame": "import pygame", "yaml": "import yaml", "aiohttp": "import aiohttp", "httpx": "import httpx",
    "pytest": "import pytest", "redis": "import redis", "schedule": "import schedule", "serial": "import serial", "typer": "import typer",
    "discord": "import discord", "tk": "import tkinter as tk", "boto3": "import boto3", "psutil": "import psutil", "jwt": "import jwt",
}  # fmt: skip
FROM = {
    "Path": ("pathlib",), "defaultdict": ("collections",), "Counter": ("collections",), "deque": ("collections",), "OrderedDict": ("collections",), "namedtuple": ("collections",),
    "dataclass": ("dataclasses",), "field": ("dataclasses",), "asdict": ("dataclasses",), "wraps": ("functools",), "partial": ("functools",), "lru_cache": ("functools",),
    "timedelta": ("datetime",), "date": ("datetime",), "contextmanager": ("contextlib",), "Enum": ("enum",), "Optional": ("typing",), "List": ("typing",),
    "Dict": ("typing",), "Any": ("typing",), "Callable": ("typing",), "Lock": ("threading",), "Thread": ("threading",), "Event": ("threading",), "Queue": ("queue",), "Empty": ("queue",),
    "Decimal": ("decimal",), "uuid4": ("uuid",), "sleep": ("time",), "ThreadPoolExecutor": ("concurrent.futures",), "groupby": ("itertools",), "chain": ("itertools",),
    "Flask": ("flask",), "Blueprint": ("flask",), "jsonify": ("flask",), "request": ("flask",), "abort": ("flask",), "render_template": ("flask",), "redirect": ("flask",), "django redirect": ("django.shortcuts",), "url_for": ("flask",), "flash": ("flask",),
    "FastAPI": ("fastapi",), "APIRouter": ("fastapi",), "Depends": ("fastapi",), "HTTPException": ("fastapi",), "Query": ("fastapi",), "Request": ("fastapi",), "BaseModel": ("pydantic",), "Field": ("pydantic",),
    "Session": ("sqlalchemy.orm",), "Column": ("sqlalchemy",), "Integer": ("sqlalchemy",), "String": ("sqlalchemy",), "ForeignKey": ("sqlalchemy",), "commands": ("discord.ext",), "tasks": ("discord.ext",),
    "models": ("django.db",), "get_object_or_404": ("django.shortcuts",), "render": ("django.shortcuts",), "login_required": ("django.contrib.auth.decorators",), "JsonResponse": ("django.http",),
    "BeautifulSoup": ("bs4",), "Update": ("telegram",), "Mock": ("unittest.mock",), "patch": ("unittest.mock",), "TestClient": ("fastapi.testclient",), "web": ("aiohttp",), "Console": ("rich.console",), "Table": ("rich.table",),
}  # fmt: skip
