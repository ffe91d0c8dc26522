"""An MCP server of a few tools without the SDK, which takes a second to load."""

import json
import os
import sys
import time

TOOLS = {
    "double": lambda number: str(2 * int(number)),
    "end": lambda: os._exit(1),
    "wait": lambda: time.sleep(30) or "late",
    "log": lambda: os.write(2, b"x" * 300_000) and "done",
    "loud": lambda: "\x1b[2Jred\n" + "line\n" * 20_000,
}
NUMBER = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}


def called(name, given):
    try:
        text, failed = TOOLS[name](**given), False
    except (TypeError, ValueError) as error:
        text, failed = str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def answer(method, given):
    if method == "initialize":
        who = {"name": "test", "version": "1"}
        return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": who}
    if method == "tools/list":
        schemas = {"double": NUMBER}
        return {
            "tools": [
                {"name": name, "inputSchema": schemas.get(name, {"type": "object", "properties": {}})}
                for name in TOOLS
            ]
        }
    return called(given["name"], given.get("arguments") or {}) if method == "tools/call" else None


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = answer(request["method"], request.get("params"))
        unknown = {"error": {"code": -32601, "message": "Method not found"}}
        outcome = unknown if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}), flush=True)
