"""The dependency audit and the bill of materials, with a fake advisory service."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.support.database_servers import HOST, free_port
from tests.support.skips import skip_missing

ROOT = Path(__file__).parents[2]
VULNERABILITY = {
    "id": "PYSEC-2026-1",
    "summary": "a hole",
    "affected": [
        {
            "package": {"name": "flask", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
        }
    ],
}


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    for program in ("pip-audit", "cyclonedx-py"):
        if shutil.which(program) is None:
            skip_missing(program, "pip install -c constraints.txt -e '.[audit]'")


@pytest.fixture
def service() -> Iterator[Callable[[str], str]]:
    """Starts an advisory service that knows one vulnerable package; returns its URL."""
    started: list[ThreadingHTTPServer] = []

    def start(vulnerable: str) -> str:
        class Advisories(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the standard library's name
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                is_open = asked["package"]["name"] == vulnerable
                body = json.dumps({"vulns": [VULNERABILITY]} if is_open else {}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Nobody reads of it."""

        server = ThreadingHTTPServer((HOST, 0), Advisories)
        Thread(target=server.serve_forever, daemon=True).start()
        started.append(server)
        return f"http://{HOST}:{server.server_port}/"

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def audit(url: str, cache: Path) -> subprocess.CompletedProcess[str]:
    command = [ROOT / "scripts" / "audit", "--osv-url", url, "--cache-dir", cache]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_audit_passes_without_known_vulnerabilities(
    service: Callable[[str], str], tmp_path: Path
) -> None:
    done = audit(service("nothing"), tmp_path)

    assert (done.returncode, "No known vulnerabilities found" in done.stdout) == (0, True), done.stderr
    assert "NOT DONE" not in done.stderr


def test_the_audit_fails_for_a_known_vulnerability(service: Callable[[str], str], tmp_path: Path) -> None:
    done = audit(service("flask"), tmp_path)

    assert done.returncode == 1
    assert "PYSEC-2026-1" in done.stdout


def test_the_audit_passes_with_a_warning_if_the_service_is_unreachable(tmp_path: Path) -> None:
    done = audit(f"http://{HOST}:{free_port()}/", tmp_path)

    assert done.returncode == 0
    assert "THE AUDIT WAS NOT DONE" in done.stderr


def test_the_bill_of_materials_names_every_dependency() -> None:
    done = subprocess.run([ROOT / "scripts" / "bom"], capture_output=True, text=True, check=True)
    bill = json.loads(done.stdout)
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {each.partition(">=")[0].partition("[")[0] for each in needed}

    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "corr")
    assert names <= {each["name"].lower() for each in bill["components"]}
    assert all(each["version"] for each in bill["components"])
