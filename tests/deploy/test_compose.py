"""The compose file is one by its schema, asks for as little as it can, and names only settings that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ankare.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
EXAMPLE = (ROOT / "deploy/env.example").read_text("utf-8")


def test_it_is_a_compose_file() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    command = [checker, "--builtin-schema", "vendor.compose-spec", ROOT / "compose.yaml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_may_do_little(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.get("privileged")
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}


@pytest.mark.parametrize("name", SERVICES)
def test_each_limit_is_told_once_and_no_machine_is_too_small(name: str) -> None:
    """Compose refuses `pids_limit` beside other limits of `deploy`; Docker refuses more processors than the machine has."""
    service = SERVICES[name]
    assert not {"pids_limit", "cpus", "mem_limit"} & set(service)
    assert re.fullmatch(r"\$\{\w+_CPUS:-0\}", service["deploy"]["resources"]["limits"]["cpus"])


def test_only_the_service_is_reached_and_only_from_this_machine() -> None:
    assert SERVICES["ankare"]["ports"] == ["127.0.0.1:${ANKARE_PUBLISHED_PORT:-7860}:7860"]
    assert "ports" not in SERVICES["postgres"]
    assert SERVICES["postgres"]["networks"] == ["back"]
    assert COMPOSE["networks"]["back"] == {"internal": True}


def test_the_database_is_waited_for() -> None:
    assert SERVICES["ankare"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert SERVICES["postgres"]["healthcheck"]["test"][1] == "pg_isready"
    assert SERVICES["postgres"]["image"].startswith("postgres:16")


def test_what_is_kept_lies_in_volumes() -> None:
    assert "ankare-data:/data" in SERVICES["ankare"]["volumes"]
    assert SERVICES["postgres"]["volumes"] == ["postgres-data:/var/lib/postgresql/data"]
    assert set(COMPOSE["volumes"]) == {"ankare-data", "postgres-data"}


def test_no_secret_stands_in_it() -> None:
    written = [str(value) for service in SERVICES.values() for value in service.get("environment", {}).values()]
    assert not [value for value in written if "postgresql://" in value or "password=" in value.lower()]
    assert COMPOSE["secrets"] == {"postgres_password": {"file": "deploy/secrets/postgres_password"}}
    for path in ("deploy/secrets/ankare.env", "deploy/env"):
        ignored = subprocess.run(["git", "-C", ROOT, "check-ignore", "--quiet", path], check=False)
        assert ignored.returncode in (0, 128), f"{path} could be committed"  # 128: no git here


def test_every_setting_in_it_and_in_the_example_is_one() -> None:
    here = {name for service in SERVICES.values() for name in service.get("environment", {}) if name.startswith(PREFIX)}
    named = here | set(re.findall(rf"^#?({PREFIX}\w+)=", EXAMPLE, re.M))
    assert len(named) > 4
    assert {name.removeprefix(PREFIX).lower() for name in named} <= set(Settings.model_fields)
