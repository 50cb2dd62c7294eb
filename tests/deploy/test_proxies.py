"""The examples of reverse proxies and of systemd are ones that those programs take, where they are installed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ankare.settings import Settings
from tests.deploy.tools import needed

DEPLOY = Path(__file__).parents[2] / "deploy"
NGINX = (DEPLOY / "nginx.conf").read_text("utf-8")
CADDY = (DEPLOY / "Caddyfile").read_text("utf-8")
UNIT = (DEPLOY / "ankare.service").read_text("utf-8")


def test_nginx_takes_its_example(tmp_path: Path) -> None:
    nginx = needed("nginx")
    made = [needed("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    made += ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    subprocess.run(made, check=True, capture_output=True)
    (tmp_path / "site.conf").write_text(NGINX.replace("/etc/ssl/ankare", str(tmp_path)), "utf-8")
    whole = f"pid {tmp_path}/pid; events {{}} http {{ access_log off; include {tmp_path}/site.conf; }}"
    (tmp_path / "nginx.conf").write_text(whole, "utf-8")
    command = [nginx, "-t", "-e", str(tmp_path / "errors"), "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


def test_caddy_takes_its_example(tmp_path: Path) -> None:
    command = [needed("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", [NGINX, CADDY], ids=["nginx", "caddy"])
def test_proxies_buffer_nothing_and_wait_longer_than_the_service(text: str) -> None:
    assert "proxy_buffering off" in text or "flush_interval -1" in text
    (waits,) = {int(n) for n in re.findall(r"(?:proxy_read_timeout|response_header_timeout) (\d+)s", text)}
    assert waits > Settings.model_fields["request_seconds"].default
    assert "/metrics" in text
    assert "/api/admin/" in text


def test_nginx_tells_who_called_and_believes_no_caller() -> None:
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    assert "proxy_add_x_forwarded_for" not in NGINX


def test_systemd_starts_it_as_a_user_that_may_do_little() -> None:
    said = dict(line.split("=", 1) for line in UNIT.splitlines() if "=" in line and not line.startswith("#"))
    assert said["User"] == "ankare"
    assert said["NoNewPrivileges"] == "yes"
    assert said["CapabilityBoundingSet"] == ""
    assert said["ProtectSystem"] == "strict"
    assert int(said["TimeoutStopSec"]) > Settings.model_fields["grace_seconds"].default


def test_what_the_unit_names_is_put_in_place_by_the_guide() -> None:
    """A newcomer's machine has every file that the unit reads."""
    guide = (DEPLOY.parent / "docs" / "deployment.md").read_text("utf-8")
    named = set(re.findall(r"(?:file://|=-?)(/(?:opt|etc|var/lib)/[\w/.-]+)", UNIT))
    assert {"/opt/ankare/docs/deployment.md", "/etc/ankare/env", "/etc/ankare/secrets"} <= named
    for path in named:
        assert any(place in guide for place in (path, str(Path(path).parent))), path


def test_the_guide_installs_every_extra_that_the_example_of_settings_offers() -> None:
    guide, example = (
        (DEPLOY.parent / part).read_text("utf-8") for part in ("docs/deployment.md", "deploy/env.example")
    )
    installs = [line for line in guide.splitlines() if "pip install --constraint" in line]
    assert "ANKARE_MCP" in example and "ANKARE_LLM_BASE_URL" in example
    assert installs and all("llm" in line and "mcp" in line for line in installs)
    assert "runuser -u ankare -- /opt/ankare/venv/bin/ankare keys add" in example
