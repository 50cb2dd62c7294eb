"""A file of the library and the job that reads it change together or not at all, whatever fails or is killed."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.service.library import jobs as jobs_module
from ankare.service.library import routes
from ankare.service.library import store as store_module
from ankare.service.library.jobs import Job, JobQueue, JobState
from ankare.service.library.store import Library
from ankare.service.library.view import LibraryView
from ankare.settings import Settings
from tests.service.librarian import NOTE, Librarian, opened, pack_of

OLD = NOTE.format(title="Låda", text="Lådan står i rum 100.")
NEW = NOTE.format(title="Låda", text="Lådan står i rum 200, och nyckeln hänger bredvid.")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    ingest([pack_of(tmp_path / "pack")], Home(folder), workers=1)
    return folder


@pytest.fixture
def librarian(home: Path) -> Iterator[Librarian]:
    with opened(home) as somebody:
        somebody.take_in("lada.md", OLD, label="hr")
        yield somebody


def held(librarian: Librarian) -> list[tuple[str, str, int]]:
    return [(file["name"], file["label"], file["size"]) for file in librarian.get("files")["files"]]


def job_ids(librarian: Librarian) -> list[str]:
    return [job["id"] for job in librarian.get("jobs")["jobs"]]


@contextmanager
def failing(step: int, error: int = errno.ENOSPC) -> Iterator[list[str]]:
    """The so manieth step that changes the disk fails; gives the steps that were taken."""
    taken: list[str] = []
    originals: dict[tuple[Any, str], Any] = {
        (Path, name): getattr(Path, name) for name in ("replace", "unlink", "write_text", "open")
    }
    originals |= {(os, name): getattr(os, name) for name in ("fsync", "link")}

    def broken(name: str, original: Any) -> Any:
        def step_of(*given: Any, **named: Any) -> Any:
            writes = name != "open" or "w" in str(given[1:2])
            if writes and not _is_of_upload(given):
                taken.append(name)
                if len(taken) == step:
                    raise OSError(error, os.strerror(error))
            return original(*given, **named)

        return step_of

    with pytest.MonkeyPatch.context() as patch:
        for (owner, name), original in originals.items():
            patch.setattr(owner, name, broken(name, original))
        yield taken


def _is_of_upload(given: tuple[Any, ...]) -> bool:
    """Taking away what was on its way in is no step of the change."""
    return bool(given) and isinstance(given[0], Path) and given[0].parent.name == ".incoming" and len(given) == 1


CHANGES: dict[str, Callable[[Librarian], Any]] = {
    "delete": lambda librarian: librarian.delete("files/lada.md"),
    "replace": lambda librarian: librarian.put("lada.md", NEW, replace="true", label="board"),
    "new": lambda librarian: librarian.put("ny.md", NEW, label="hr"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_step_that_fails_leaves_all_as_it_was_or_all_is_done(librarian: Librarian, change: str) -> None:
    before, jobs, failed = held(librarian), job_ids(librarian), 0
    for step in range(1, 40):
        with failing(step) as taken:
            answer = CHANGES[change](librarian)
        if answer.status_code < 300:
            assert held(librarian) != before
            assert job_ids(librarian) != jobs
            librarian.done(answer)
            break
        failed += 1
        assert answer.status_code == 507, (step, taken, answer.text)
        assert "Nothing was changed" in answer.text
        assert held(librarian) == before, (step, taken)
        assert job_ids(librarian) == jobs, (step, taken)
    assert failed >= 2
    assert librarian.ask("Var står lådan?")["answered"] is False  # nobody without a label ever sees it


def test_a_put_that_failed_can_be_sent_again(librarian: Librarian) -> None:
    with failing(1):
        assert librarian.put("ny.md", NEW).status_code == 507
    assert librarian.take_in("ny.md", NEW)["status"] == "added"


def test_what_can_neither_be_done_nor_undone_is_told_and_read_by_nobody(
    librarian: Librarian, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = store_module._write_label

    def no_label(document: Path, label: str) -> None:
        if label != store_module.NOBODY:
            raise OSError(errno.ENOSPC, "No space left on device")
        original(document, label)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(store_module, "_write_label", no_label)
        answer = librarian.put("lada.md", NEW, replace="true", label="board")
    assert answer.status_code == 507
    assert "nobody may read it" in answer.text
    assert "Nothing was changed" not in answer.text
    newest = librarian.get("jobs")["jobs"][0]
    assert librarian.over(newest["id"])["state"] == "finished"  # the index follows: it is in doubt, and out
    assert "lada.md" not in librarian.sources()


def test_a_job_that_no_process_could_be_started_for_waits(
    librarian: Librarian, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_given: Any, **_named: Any) -> Any:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(jobs_module.subprocess, "Popen", none_left)
        answer = librarian.delete("files/lada.md")
    assert answer.status_code == 202
    monkeypatch.setattr(jobs_module, "START_AGAIN_SECONDS", 0.0)
    assert librarian.done(answer)["state"] == "finished"
    assert librarian.sources() == ["drift.md"]


KILLED_IN_A_CHANGE = """
import os, sys
from pathlib import Path
from ankare.service.library.jobs import JobQueue
from ankare.service.library.store import Library
home = Path(sys.argv[1])
library, queue = Library(home, 10**9), JobQueue(home)
def change():
    if sys.argv[2] == "after":
        library.take_away(library.named("lada.md"))
    os.kill(os.getpid(), 9)
queue.request(change=change)
"""


@pytest.mark.parametrize(("moment", "left"), [("before", ["drift.md", "lada.md"]), ("after", ["drift.md"])])
def test_after_a_kill_in_the_middle_a_start_makes_index_and_library_agree(
    home: Path, moment: str, left: list[str]
) -> None:
    with opened(home) as librarian:
        librarian.take_in("lada.md", OLD)
    done = subprocess.run([sys.executable, "-c", KILLED_IN_A_CHANGE, str(home), moment], check=False)
    assert done.returncode == -signal.SIGKILL
    with opened(home) as librarian:
        agreed(librarian, left)
        assert [file["name"] for file in librarian.get("files")["files"]] == [name for name in left if name[0] == "l"]


def agreed(librarian: Librarian, sources: list[str]) -> None:
    deadline = time.monotonic() + 60
    while librarian.sources() != sources or any(
        job["state"] in ("queued", "running") for job in librarian.get("jobs")["jobs"]
    ):
        assert time.monotonic() < deadline, librarian.get("jobs")
        time.sleep(0.1)


@pytest.mark.parametrize("difference", ["gone", "come"])
def test_a_start_reads_the_library_where_it_differs_from_the_index_and_no_job_waits(
    home: Path, difference: str
) -> None:
    with opened(home) as librarian:
        librarian.take_in("lada.md", OLD)
    documents = Library(home, 10**9).folders["document"]
    if difference == "gone":
        (documents / "lada.md").unlink()
    else:
        (documents / "ny.md").write_text(NEW, "utf-8")
    with opened(home) as librarian:
        agreed(librarian, ["drift.md"] if difference == "gone" else ["drift.md", "lada.md", "ny.md"])


def test_a_start_asks_for_nothing_where_all_is_read_or_cannot_be(home: Path) -> None:
    with opened(home) as librarian:
        librarian.take_in("lada.md", OLD)
        assert librarian.take_in("trasig.pdf", b"%PDF-1.4 nothing")["status"] == "failed"
    queue, settings = JobQueue(home), Settings(home=home, semantic=False)
    before = [job.id for job in queue.jobs()]
    routes._catch_up(queue, LibraryView(settings, Library(home, 10**9)))
    assert [job.id for job in queue.jobs()] == before


# The order of jobs


def test_jobs_stand_in_the_order_in_which_they_were_asked_for_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue, asked = JobQueue(tmp_path), []
    for clock in ("20260101T000000000000", "20250101T000000000000", "20270101T000000000000", "19990101T000000000000"):
        monkeypatch.setattr(jobs_module, "_new_id", lambda clock=clock: f"{clock}-aaaaaaaa")
        job = queue.request()
        asked.append(job.id)
        queue.note(Job(job.id, state=JobState.FINISHED, number=job.number))
        assert queue.jobs()[0].id == job.id
    assert [job.id for job in queue.jobs()] == asked[::-1]


def test_the_job_that_was_asked_for_first_is_forgotten_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, years = JobQueue(tmp_path), iter(range(2999, 1000, -1))
    monkeypatch.setattr(jobs_module, "_new_id", lambda: f"{next(years)}0101T000000000000-aaaaaaaa")
    asked = []
    for _ in range(jobs_module.KEPT + 3):
        job = queue.request()
        asked.append(job.id)
        queue.note(Job(job.id, state=JobState.FINISHED, number=job.number))
    queue._prune(queue._read())
    assert [job.id for job in queue.jobs()] == asked[: -jobs_module.KEPT - 1 : -1]


def test_jobs_of_an_earlier_ankare_come_before_those_that_are_numbered(tmp_path: Path) -> None:
    queue = JobQueue(tmp_path)
    (tmp_path / "jobs").mkdir()
    for year in (2030, 2029):
        queue.note(Job(f"{year}0101T000000000000-aaaaaaaa", state=JobState.FINISHED))
    newest = queue.request()
    assert [job.id[:4] for job in queue.jobs()] == [newest.id[:4], "2030", "2029"]


# Saboteurs


def test_a_saboteur_that_changes_the_file_first_is_caught(
    librarian: Librarian, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = JobQueue.request

    def later(self: JobQueue, remove: Any = (), *, everything: bool = False, change: Any = None) -> Job:
        if change is not None:
            change()
        return original(self, remove, everything=everything)

    monkeypatch.setattr(JobQueue, "request", later)
    with pytest.raises(AssertionError):
        test_a_step_that_fails_leaves_all_as_it_was_or_all_is_done(librarian, "delete")


def test_a_saboteur_that_undoes_nothing_is_caught(librarian: Librarian, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_undo", lambda *_given: None)
    with pytest.raises(AssertionError):
        test_a_step_that_fails_leaves_all_as_it_was_or_all_is_done(librarian, "replace")


def test_a_saboteur_that_orders_jobs_by_the_clock_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = JobQueue._read
    monkeypatch.setattr(JobQueue, "_read", lambda self: sorted(original(self), key=lambda job: job.id))
    with pytest.raises(AssertionError):
        test_jobs_stand_in_the_order_in_which_they_were_asked_for_whatever_the_clock_says(tmp_path, monkeypatch)
