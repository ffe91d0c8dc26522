"""Where the names that programs use come from.

Comes in: nothing. Goes out: tables. Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.phrases import words
from spark_tui.train.tables import table

_TABLES = table("tables/program_imports")

STANDARD = words(
    "argparse asyncio base64 collections configparser contextlib csv dataclasses datetime enum functools glob hashlib io "
    "itertools json logging math os pathlib queue random re shutil signal smtplib socket sqlite3 statistics string "
    "subprocess sys tempfile threading time typing uuid"
)
"""Modules that are there without installing."""
MODULES = {name: f"import {name}" for name in STANDARD} | {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "requests": "import requests",
    "messages": "from django.contrib import messages",
    "click": "import click",
    "pygame": "import pygame",
    "yaml": "import yaml",
    "aiohttp": "import aiohttp",
    "httpx": "import httpx",
    "pytest": "import pytest",
    "redis": "import redis",
    "schedule": "import schedule",
    "serial": "import serial",
    "typer": "import typer",
    "discord": "import discord",
    "tk": "import tkinter as tk",
    "boto3": "import boto3",
    "psutil": "import psutil",
    "jwt": "import jwt",
}
FROM: dict[str, tuple[str, ...]] = _TABLES["from"]
