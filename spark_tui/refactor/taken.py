# ruff: noqa: E501 - tables of words and forms read better unbroken
"""Keyword arguments by name, and the calls that are known to take them.

Comes in: nothing. Goes out: a table. Must not know: files, orders.
"""

from __future__ import annotations

TAKEN = {
    "timeout": "urlopen check_output check_call communicate wait wait_for create_connection HTTPConnection acquire requests.get requests.post requests.put requests.patch requests.delete requests.head requests.request session.get session.post session.put session.delete client.get client.post httpx.get httpx.post subprocess.run",
    "encoding": "open read_text write_text", "errors": "open read_text write_text decode encode", "newline": "open", "buffering": "open",
    "indent": "json.dump json.dumps dump dumps", "sort_keys": "json.dump json.dumps dump dumps", "ensure_ascii": "json.dump json.dumps dump dumps", "default": "json.dump json.dumps",
    "flush": "print", "end": "print", "sep": "print", "file": "print",
    "exist_ok": "mkdir makedirs", "parents": "mkdir", "missing_ok": "unlink", "ignore_errors": "rmtree",
    "check": "subprocess.run", "capture_output": "subprocess.run", "text": "subprocess.run check_output Popen", "cwd": "subprocess.run check_output check_call Popen", "env": "subprocess.run check_output check_call Popen",
    "daemon": "Thread Process", "maxsize": "Queue lru_cache", "max_workers": "ThreadPoolExecutor ProcessPoolExecutor", "strict": "zip", "start": "enumerate",
    "reverse": "sorted sort", "key": "sorted sort max min", "delta": "assertAlmostEqual assertNotAlmostEqual", "places": "assertAlmostEqual assertNotAlmostEqual", "rel_tol": "isclose", "abs_tol": "isclose",
    "return_exceptions": "gather", "exc_info": "debug info warning error critical", "follow_redirects": "httpx.get httpx.post client.get", "allow_redirects": "requests.get requests.head", "verify": "requests.get requests.post",
    "backupCount": "RotatingFileHandler TimedRotatingFileHandler", "maxBytes": "RotatingFileHandler", "uselist": "relationship", "nullable": "Column mapped_column", "index": "Column mapped_column to_csv",
    "delimiter": "reader writer DictReader DictWriter", "newlines": "open", "tzinfo": "datetime replace", "tz": "now fromtimestamp", "maxsplit": "split rsplit",
}  # fmt: skip
"""By the last name of what is called, or by its end where that alone says too little."""
