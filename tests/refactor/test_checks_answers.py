# ruff: noqa: E501 - tables of instructions read better unbroken
"""A check may answer with a status, tell something first, or end the program; what is unknown is told by the code."""

from __future__ import annotations

import pytest
from checks_texts import CLEAN, GAME, changed

API = """\
import logging
from flask import Flask, jsonify, request

app = Flask(__name__)

USERS = {1: "ann", 2: "bob"}
PRICES = {"tea": 3, "cake": 4}
orders = []


@app.route("/users/<int:user_id>")
def get_user(user_id):
    user = USERS.get(user_id)
    return jsonify({"name": user})


@app.route("/orders", methods=["POST"])
def create_order():
    data = request.get_json()
    product = data["product"]
    amount = int(data["amount"])
    orders.append({"product": product, "amount": amount})
    return jsonify({"ok": True}), 201


def price(product):
    return PRICES[product]
"""


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('unknown users in get_user: answer 404 with {"error": "no such user"}', '', '    if user is None:\n        return jsonify({"error": "no such user"}), 404'),
        ("get_user should return a 404 if the user doesn't exist", 'from flask import Flask, jsonify, request', 'from flask import Flask, abort, jsonify, request\n    if user is None:\n        abort(404)'),
        ('404 if user is None', 'from flask import Flask, jsonify, request', 'from flask import Flask, abort, jsonify, request\n    if user is None:\n        abort(404)'),
        ('get_user: abort(404) when there is no such user', 'from flask import Flask, jsonify, request', 'from flask import Flask, abort, jsonify, request\n    if user is None:\n        abort(404)'),
        ('create_order: answer 400 with {"error": "amount must be positive"} if amount is below 1', '', '    if amount < 1:\n        return jsonify({"error": "amount must be positive"}), 400'),
        ('return 400 in create_order if product is missing from the data', 'from flask import Flask, jsonify, request', 'from flask import Flask, abort, jsonify, request\n    if "product" not in data:\n        abort(400)'),
        ('unknown products in create_order: answer 404 with {"error": "no such product"}', '', '    if product not in PRICES:\n        return jsonify({"error": "no such product"}), 404'),
        ('reply with 422 when amount is below 1', 'from flask import Flask, jsonify, request', 'from flask import Flask, abort, jsonify, request\n    if amount < 1:\n        abort(422)'),
        ('if no amount is given take 1', '    amount = int(data["amount"])', '    amount = int(data.get("amount", 1))'),
        ('create_order: return {"error": "too many"}, 400 when amount is more than 100', '', '    if amount > 100:\n        return jsonify({"error": "too many"}), 400'),
    ],
)  # fmt: skip
def test_api(said: str, gone: str, come: str) -> None:
    assert changed(API, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('if target is None print "nobody here" and return', '', '    if target is None:\n        print("nobody here")\n        return'),
        ('attack should print "nobody here" and return if nobody was found', '', '    if target is None:\n        print("nobody here")\n        return'),
        ('attack should return if nobody was found', '', '    if target is None:\n        return'),
        ('return early from attack if the target is unknown', '', '    if target is None:\n        return'),
    ],
)  # fmt: skip
def test_game(said: str, gone: str, come: str) -> None:
    assert changed(GAME, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('main: if there is no argument print "usage: clean FOLDER" and exit', '', '    if len(sys.argv) < 2:\n        print("usage: clean FOLDER")\n        sys.exit(1)'),
        ('print "no folder" and return if folder does not exist in clean', '', '    if not os.path.exists(folder):\n        print("no folder")\n        return'),
        ('exit with 2 if folder does not exist in main', '', '    if not os.path.exists(folder):\n        sys.exit(2)'),
        ('log "no folder" and return when the folder does not exist in clean', '', '    if not os.path.exists(folder):\n        logger.warning("no folder")\n        return'),
    ],
)  # fmt: skip
def test_clean(said: str, gone: str, come: str) -> None:
    assert changed(CLEAN, said) == (gone, come)


@pytest.mark.parametrize(
    "said",
    [
        "unknown planets in get_user: answer 404",
        "why does get_user return 404 if the user is unknown?",
        "price should return 404 items",
    ],
)
def test_what_shows_no_place_is_left(said: str) -> None:
    assert changed(API, said) is None


def test_every_framework_has_its_own_way() -> None:
    code = API.replace("from flask import Flask, jsonify, request", "from fastapi import FastAPI")
    made = changed(code, 'answer 404 with "no such user" if user is None in get_user')
    assert made is not None
    assert 'raise HTTPException(status_code=404, detail="no such user")' in made[1]
    assert "from fastapi import FastAPI, HTTPException" in made[1]
