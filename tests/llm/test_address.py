"""An address is one that can be called, and its errors never tell what stands in it for the service alone."""

from __future__ import annotations

import pytest

from ankare.errors import SettingsError
from ankare.llm.address import Reach, checked_url, reach


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/v1",
        "http://[::1]:9/v1",
        "http://localhost",
        "https://api.example.com/v1",
        "https://räksmörgås.example/v1",
        "http://my_model:8000/v1",
        "http://vllm/v1",
        "http://10gen.example/v1",
        "http://host/a..b/v1.5",
        "http://host/chat/completions/v1",
    ],
)
def test_what_can_be_called_is_taken(address: str) -> None:
    import httpx2

    assert checked_url(f" {address}/ ", "It") == address
    httpx2.URL(address)


@pytest.mark.parametrize(
    "host",
    [
        "0177.0.0.1",
        "127.0.0.01",
        "127.1",
        "127.0.0.1.",
        "2130706433",
        "0x7f.0.0.1",
        "0x7f000001",
        "256.1.1.1",
        "1.2.3.4.5",
        "\uff11\uff12\uff17.0.0.1",
        "[v1.a]",
        "[::1%25eth0]",
        "[1.2.3.4]",
        "h%41",
        "..",
    ],
)
def test_a_number_of_a_host_has_one_form(host: str) -> None:
    with pytest.raises(SettingsError, match="is no http") as caught:
        checked_url(f"http://{host}:9/v1", "It")
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("path", "remedy"),
    [
        ("/../v1", "Write the path out"),
        ("/v1/..", "Write the path out"),
        ("/v1/%2e%2E/x", "Write the path out"),
        ("/./v1", "Write the path out"),
        ("/v1/chat/completions", "Leave /chat/completions out"),
        ("/v1/Chat/Completions/", "Leave /chat/completions out"),
        ("/v1/messages", "Leave /messages out"),
    ],
)
def test_a_path_ends_before_what_is_appended(path: str, remedy: str) -> None:
    with pytest.raises(SettingsError, match=remedy):
        checked_url(f"https://host{path}", "It")


@pytest.mark.parametrize(
    "address",
    [
        "http://h/v1?key=SECRET",
        "http://h/v1#SECRET",
        "http://h/v1?a#key=SECRET",
        "http://h/v1?key=a@SECRET",
        "http://SECRET@h/v1",
        "http://me:SECRET@h/v1",
        "http://me:a?SECRET@h/v1",
        "me:SECRET@h/v1",
        "SECRET",
        "http://me:SECRET@h/../v1",
        "http://me:SECRET@h/v1/chat/completions",
    ],
)
@pytest.mark.parametrize("with_user", [False, True])
def test_no_error_tells_a_user_or_a_query(address: str, with_user: bool) -> None:
    try:
        checked_url(address, "It", with_user=with_user)
    except SettingsError as error:
        assert "SECRET" not in str(error)
    else:
        assert with_user


def test_an_error_tells_the_rest_of_the_address() -> None:
    with pytest.raises(SettingsError, match=r"'http://h/v1\?\*\*\*'"):
        checked_url("http://h/v1?key=SECRET", "It")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", Reach.OWN),
        ("127.9.9.9", Reach.OWN),
        ("[::1]", Reach.OWN),
        ("localhost", Reach.OWN),
        ("LOCALHOST.", Reach.OWN),
        ("a.localhost", Reach.OWN),
        ("10.0.0.9", Reach.PRIVATE),
        ("172.16.0.1", Reach.PRIVATE),
        ("172.31.255.255", Reach.PRIVATE),
        ("192.168.1.1", Reach.PRIVATE),
        ("[fd00::1]", Reach.PRIVATE),
        ("vllm", Reach.PRIVATE),
        ("gpu.local", Reach.PRIVATE),
        ("172.32.0.1", Reach.PUBLIC),
        ("11.0.0.1", Reach.PUBLIC),
        ("0.0.0.0", Reach.PUBLIC),  # noqa: S104 - no address to bind to
        ("[2001:4860::1]", Reach.PUBLIC),
        ("model.example", Reach.PUBLIC),
        ("localhost.example", Reach.PUBLIC),
        ("127.0.0.1.example", Reach.PUBLIC),
        ("gpu.local.example", Reach.PUBLIC),
        ("evil\u3002example", Reach.PUBLIC),
    ],
)
def test_how_far_a_request_travels(host: str, expected: Reach) -> None:
    assert reach(checked_url(f"http://{host}:9/v1", "It")) is expected
