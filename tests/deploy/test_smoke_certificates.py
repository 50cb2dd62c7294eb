"""A deployment behind a certificate of an authority of its own: `ankare smoke` says once what to do, and it helps."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ankare.cli import smoke_call
from ankare.cli.main import app
from ankare.errors import SettingsError
from tests.deploy.fake_deployment import WHOLE, deployed
from tests.deploy.tools import needed

HERE = "IP:127.0.0.1"


def smoke(*arguments: str, **variables: str) -> Result:
    return CliRunner().invoke(app, ["smoke", *arguments], env={"SSL_CERT_FILE": None, **variables})


def certificate(folder: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """The certificate of an authority of one's own, and a server that has one which it signed for a name."""
    openssl = needed("openssl")
    key, ca, request, signed, more = (folder / f"{part}.pem" for part in ("key", "ca", "request", "signed", "more"))
    new_key = ["-newkey", "rsa:2048", "-nodes"]
    more.write_text(f"subjectAltName={name}\nauthorityKeyIdentifier=keyid\n")
    authority = ["-x509", *new_key, "-subj", "/CN=Our own", "-days", "2", "-addext", "keyUsage=keyCertSign"]
    by = ["-CA", str(ca), "-CAkey", str(folder / "ca.key"), "-CAcreateserial"]
    for command in (
        ["req", *authority, "-keyout", str(folder / "ca.key"), "-out", str(ca)],
        ["req", *new_key, "-subj", "/CN=ankare", "-keyout", str(key), "-out", str(request)],
        ["x509", "-req", "-in", str(request), *by, "-extfile", str(more), "-days", "2", "-out", str(signed)],
    ):
        subprocess.run([openssl, *command], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(signed, key)
    return ca, context


def test_an_authority_of_ones_own_is_told_of_once_with_what_to_do(tmp_path: Path) -> None:
    ca, context = certificate(tmp_path, HERE)
    with deployed(WHOLE, context) as running:
        refused = smoke("--base-url", running.base_url)
        named = smoke("--base-url", running.base_url, "--ca", str(ca))
        by_variable = smoke("--base-url", running.base_url, SSL_CERT_FILE=str(ca))
    assert refused.exit_code == 1
    assert refused.stdout.count("not trusted") == 1
    assert "--ca FILE, or SSL_CERT_FILE=FILE" in refused.stdout
    assert (named.exit_code, by_variable.exit_code) == (0, 0), (named.output, by_variable.output)


def test_what_trusting_the_authority_does_not_mend_has_another_remedy(tmp_path: Path) -> None:
    ca, context = certificate(tmp_path, "DNS:ankare.example.org")
    with deployed(WHOLE, context) as running:
        done = smoke("--base-url", running.base_url, "--ca", str(ca))
    assert done.exit_code == 1
    assert done.stdout.count("by a name that stands in it: --base-url") == 1
    assert "SSL_CERT_FILE" not in done.stdout


def test_no_key_is_sent_to_whoever_is_not_trusted(tmp_path: Path) -> None:
    _, context = certificate(tmp_path, HERE)
    with deployed(WHOLE, context) as running:
        smoke("--base-url", running.base_url, ANKARE_SMOKE_KEY="k-5ecret")
    assert running.keys == []


def test_a_caller_that_trusts_anybody_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smoke_call, "_trusting", lambda _authority: ssl._create_unverified_context())  # noqa: S323
    with pytest.raises(AssertionError):
        test_no_key_is_sent_to_whoever_is_not_trusted(tmp_path)


@pytest.mark.parametrize("text", [None, "no certificate"], ids=["not there", "something else"])
def test_a_file_that_holds_no_certificate_is_bad_use(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    failure = smoke("--base-url", "https://127.0.0.1:1", "--ca", str(file)).exception
    assert isinstance(failure, SettingsError)
    assert str(file) in str(failure) and "PEM" in str(failure)
