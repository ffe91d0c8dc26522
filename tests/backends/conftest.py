"""A certificate for tests, made on the spot."""

import shutil
import subprocess
from typing import NamedTuple

import pytest


class Tls(NamedTuple):
    certificate: str
    key: str


@pytest.fixture(scope="session")
def tls(tmp_path_factory):
    """A self-signed certificate for this machine."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    made = Tls(str(folder / "cert.pem"), str(folder / "key.pem"))
    words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(
        [*words.split(), *names, "-keyout", made.key, "-out", made.certificate], check=True, capture_output=True
    )
    return made
