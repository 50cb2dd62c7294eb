"""`ankare smoke` passes a deployment that works, and each of its checks fails one that is broken in its place."""

from __future__ import annotations

import json
from threading import Timer

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.main import app
from ankare.cli.smoke_call import Caller
from ankare.cli.smoke_checks import Deployment, same_revision
from ankare.errors import SettingsError
from tests.deploy.fake_deployment import (
    PAGE,
    REVISION,
    SOURCE,
    WHOLE,
    Answers,
    Said,
    answering,
    broken,
    deployed,
)

QUESTION = "Vem leder?"
CHECKS = ["health", "ready", "ask", "bad input", "search", "page", "openapi", "chat", "metrics"]


def smoke(*arguments: str, **variables: str) -> Result:
    return CliRunner().invoke(app, ["smoke", *arguments], env={"ANKARE_SMOKE_KEY": None, **variables})


def page(body: bytes) -> Answers:
    return broken("/", body=body)


def source(**changes: object) -> Answers:
    return answering(sources=[{name: value for name, value in {**SOURCE, **changes}.items() if value is not ...}])


# what is broken: the deployment, the check that has to tell, words of what it tells
SABOTEURS: dict[str, tuple[Answers, str, str]] = {
    "another revision": (broken("/health", body={"status": "ok", "version": "1", "revision": "abc"}), "health", "abc"),
    "no revision": (broken("/health", body={"status": "ok", "version": "1", "revision": ""}), "health", "revision -"),
    "not well": (broken("/health", body={"status": "ill", "version": "1", "revision": REVISION}), "health", "ill"),
    "health is a page": (broken("/health", body=b"<html>"), "health", "no JSON"),
    "health is a list": (broken("/health", body=b"[]"), "health", "not of our form"),
    "health has moved": (broken("/health", status=307, headers={"Location": "/x"}), "health", "307"),
    "no index": (broken("/ready", status=500), "ready", "500"),
    "ask fails": (broken("/api/ask", status=500, body=b"boom"), "ask", "500: boom"),
    "ask is closed": (broken("/api/ask", status=401, body=b"key"), "ask", "401: key"),
    "an answer without sources": (answering(sources=[]), "ask", "sources and answered do not agree"),
    "a refusal with sources": (answering(answered=False), "ask", "sources and answered do not agree"),
    "a refusal": (answering(answered=False, sources=[], answer_markdown="Nej."), "ask", "refused: Nej."),
    "an empty answer": (answering(answer_markdown=" "), "ask", "empty"),
    "an answer without claims": (answering(claims=...), "ask", "lacks claims"),
    "a source without pages": (source(pages=...), "ask", "lacks pages"),
    "a document that is gone": (broken("/sources/d1", status=404), "ask", "/sources/d1 gave 404"),
    "a picture that is gone": (broken("/sources/d1/1", status=404), "ask", "/sources/d1/1 gave 404"),
    "a picture that is none": (broken("/sources/d1/1", body=b"GIF"), "ask", "no PNG"),
    "bad input is taken": (broken("bad input", status=200), "bad input", "200"),
    "bad input breaks it": (broken("bad input", status=500), "bad input", "500"),
    "search finds nothing": (broken("/api/search", body={"hits": []}), "search", "no hits"),
    "no page": (broken("/", status=404), "page", "404"),
    "another page": (page(b"<title>nginx</title>"), "page", "not the user's page"),
    "a page without a title": (page(PAGE.replace(b"ankare", b" ")), "page", "no title"),
    "a page with an error": (page(PAGE.replace(b"</body>", b"Internal Server Error</body>")), "page", "error"),
    "a page without its script": (broken("/assets/index.js", status=404), "page", "/assets/index.js gave 404"),
    "a page as a script": (broken("/assets/index.js", kind="text/html"), "page", "text/html"),
    "a page that names no script": (page(b"<title>a</title>gradio"), "page", "no script"),
    "a page without a policy": (broken("/", headers={}), "page", "no content security policy"),
    "no description": (broken("/openapi.json", status=404), "openapi", "404"),
    "a description of something else": (broken("/openapi.json", body={"paths": {}}), "openapi", "/api/ask"),
    "no models": (broken("/v1/models", body={"data": []}), "chat", "not of our form"),
    "chat without an answer": (
        broken("/v1/chat/completions", body={"choices": [{"message": {"content": ""}}]}),
        "chat",
        "is empty",
    ),
    "nothing is measured": (broken("/metrics", body=b""), "metrics", "no measure"),
}


@pytest.mark.parametrize("name", SABOTEURS)
def test_each_broken_deployment_fails_its_check(name: str) -> None:
    answers, check, told = SABOTEURS[name]
    with deployed(answers) as running:
        done = smoke("--base-url", running.base_url, "--question", QUESTION, "--revision", REVISION, "--json")
    assert done.exit_code == 1, done.output
    failed = {row["name"]: row["found"] for row in json.loads(done.stdout)["checks"] if row["state"] != "ok"}
    assert told in failed.get(check, ""), failed
    assert set(failed) <= {check, *(("chat",) if check == "openapi" else ())}


def test_every_check_has_a_saboteur() -> None:
    assert [name for name, _ in Deployment(Caller("http://127.0.0.1")).checks()] == CHECKS
    assert {check for _, check, _ in SABOTEURS.values()} == set(CHECKS)


def test_a_whole_deployment_passes_and_tells_the_time_it_took() -> None:
    with deployed(WHOLE) as running:
        done = smoke("--base-url", running.base_url, "--question", QUESTION, "--revision", REVISION[:7])
        as_json = smoke("--base-url", running.base_url, "--json")
    assert done.exit_code == 0, done.output
    assert [line.split()[0] for line in done.stdout.splitlines()[:-1]] == ["ok"] * len(CHECKS)
    assert done.stdout.splitlines()[-1].startswith(f"all is well; {len(CHECKS)} checks in ")
    told = json.loads(as_json.stdout)
    assert (told["ok"], [row["name"] for row in told["checks"]]) == (True, CHECKS)
    assert all(row["milliseconds"] >= 0 for row in told["checks"])


@pytest.mark.parametrize(
    ("path", "status", "told"), [("/metrics", 403, "not shown"), ("/metrics", 401, "not shown")], ids=str
)
def test_what_is_closed_on_purpose_is_no_failure(path: str, status: int, told: str) -> None:
    with deployed(broken(path, status=status)) as running:
        done = smoke("--base-url", running.base_url)
    assert done.exit_code == 0, done.output
    assert told in done.stdout


def test_a_refusal_of_a_question_that_nobody_chose_is_a_note() -> None:
    with deployed(answering(answered=False, sources=[], answer_markdown="Nej.")) as running:
        done = smoke("--base-url", running.base_url)
    assert done.exit_code == 0, done.output
    (note,) = [line for line in done.stdout.splitlines() if line.startswith("note")]
    assert "no answer was checked" in note
    assert "--question" in note
    assert "as far as was looked: see ask;" in done.stdout


@pytest.mark.parametrize("as_json", [False, True])
def test_nobody_there_is_told_once(as_json: bool) -> None:
    with deployed(WHOLE) as running:
        gone = running.base_url
    done = smoke("--base-url", gone, *(["--json"] if as_json else []))
    assert done.exit_code == 1
    assert done.stdout.count(f"nothing listens at {gone}") == 1
    assert done.stdout.count("refused") == 1
    assert "--base-url" in done.stdout


def test_a_deployment_without_chat_clients_is_whole() -> None:
    with deployed(broken("/openapi.json", body={"paths": {"/api/ask": {}}})) as running:
        assert "not offered" in smoke("--base-url", running.base_url).stdout


def test_a_figure_has_a_source_without_an_address() -> None:
    with deployed(source(url=None, page_image=None)) as running:
        assert smoke("--base-url", running.base_url, "--question", QUESTION).exit_code == 0


def test_the_key_comes_from_the_environment_and_is_never_shown() -> None:
    with deployed(WHOLE) as running:
        done = smoke("--base-url", running.base_url, "--json", ANKARE_SMOKE_KEY="k-5ecret")
    assert set(running.keys) == {"Bearer k-5ecret"}
    assert "5ecret" not in done.output


def test_the_key_does_not_follow_a_redirect() -> None:
    with deployed(WHOLE) as elsewhere:
        moved = {path: Said(b"", 307, headers={"Location": elsewhere.base_url + path}) for path in WHOLE}
        with deployed(moved) as running:
            done = smoke("--base-url", running.base_url, ANKARE_SMOKE_KEY="k-5ecret")
    assert done.exit_code == 1
    assert elsewhere.keys == []


def test_the_key_does_not_go_unencrypted_to_a_public_host() -> None:
    done = smoke("--base-url", "http://ankare.example.org", ANKARE_SMOKE_KEY="k-5ecret")
    assert isinstance(done.exception, SettingsError)
    assert "5ecret" not in str(done.exception)


@pytest.mark.parametrize("arguments", [("--base-url", "ftp://x"), ("--revision", "abc")], ids=str)
def test_bad_use_is_told(arguments: tuple[str, ...]) -> None:
    assert isinstance(smoke(*arguments).exception, SettingsError)


def test_a_deployment_is_waited_for_until_its_revision_runs() -> None:
    earlier = broken("/health", body={"status": "ok", "version": "0.9", "revision": "0" * 40})
    with deployed(earlier) as running:
        change = Timer(0.2, setattr, (running, "answers", WHOLE))
        change.start()
        done = smoke("--base-url", running.base_url, "--revision", REVISION, "--wait", "60")
        change.join()
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "answers",
    [
        broken("/health", body={"status": "ok", "version": "0.9", "revision": "0" * 40}),
        broken("/ready", status=503),
        broken("/health", status=404, body=b"building"),
    ],
    ids=["another revision", "not ready", "being built"],
)
def test_what_does_not_come_in_time_is_told_apart(answers: Answers) -> None:
    with deployed(answers) as running:
        done = smoke("--base-url", running.base_url, "--revision", REVISION, "--wait", "0.1")
    assert done.exit_code == 3
    assert "is not what is waited for" in done.stderr


@pytest.mark.parametrize(
    ("found", "wanted", "same"),
    [
        (REVISION, "", True),
        ("", "", True),
        (REVISION, REVISION, True),
        (REVISION, REVISION[:7].upper(), True),
        (REVISION[:12], REVISION, True),
        (REVISION, REVISION[:6], False),
        (REVISION[:6], REVISION, False),
        (REVISION, REVISION[1:9], False),
        ("", REVISION, False),
    ],
)
def test_a_revision_is_its_whole_name_or_a_beginning_of_it(found: str, wanted: str, same: bool) -> None:
    assert same_revision(found, wanted) is same


def test_the_key_has_no_option() -> None:
    assert smoke("--key", "k-5ecret").exit_code == 2
