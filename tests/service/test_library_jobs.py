"""What jobs promise: one at a time, none forgotten, a killed one told as such, and the index whole through all of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ankare.index.build import locked
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.service.library import jobs as library_jobs
from ankare.service.library import routes_jobs as routes_admin_jobs
from ankare.service.library.file_lock import taken
from ankare.service.library.jobs import KEPT, Job, JobQueue, JobState
from tests.ingest.making import pdf, words
from tests.service.librarian import ADMIN, NOTE, TOKEN, Librarian, opened, pack_of


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    ingest([pack_of(tmp_path / "pack")], Home(folder), workers=1)
    return folder


@pytest.fixture
def librarian(home: Path) -> Iterator[Librarian]:
    with opened(home) as somebody:
        yield somebody


def note(number: int) -> str:
    return NOTE.format(title=f"Anteckning {number}", text=f"Lådan {number} står i rum {number}00.")


@pytest.fixture
def queue(tmp_path: Path) -> JobQueue:
    """A queue that starts no process."""
    return JobQueue(tmp_path)


def work_on(queue: JobQueue, home: Path) -> JobQueue:
    """Another process' view of it, with the lock of the one that works."""
    worker = JobQueue(home)
    descriptor = taken(home / "jobs/.running")
    assert descriptor is not None
    worker._held = descriptor
    return worker


# The queue


def test_what_is_asked_for_while_a_job_waits_becomes_part_of_it(queue: JobQueue) -> None:
    first = queue.request(["a.pdf"])
    assert queue.request(["b.pdf", "a.pdf"], everything=True).id == first.id
    (job,) = queue.jobs()
    assert (job.state, job.remove, job.everything) == (JobState.QUEUED, ("a.pdf", "b.pdf"), True)


def test_what_is_asked_for_while_a_job_runs_becomes_one_more(queue: JobQueue, tmp_path: Path) -> None:
    first = queue.request()
    worker = work_on(queue, tmp_path)
    running = worker.next()
    assert running is not None
    later = queue.request(["a.pdf"])
    assert queue.request(["b.pdf"]).id == later.id != first.id
    worker.note(running.__class__(**{**job_fields(running), "state": JobState.FINISHED}))
    following = worker.next()
    assert following is not None
    assert (following.id, following.remove) == (later.id, ("a.pdf", "b.pdf"))


def job_fields(job: Job) -> dict[str, Any]:
    return {name: getattr(job, name) for name in Job.__slots__}


def test_the_working_process_lets_go_under_the_lock_under_which_it_saw_that_nothing_waits(
    queue: JobQueue, tmp_path: Path
) -> None:
    queue.request()
    worker = work_on(queue, tmp_path)
    while (job := worker.next()) is not None:
        worker.note(Job(**{**job_fields(job), "state": JobState.FINISHED}))
    free = taken(tmp_path / "jobs/.running")
    assert free is not None
    os.close(free)


def test_a_job_that_says_it_runs_while_no_process_does_is_interrupted(queue: JobQueue, tmp_path: Path) -> None:
    queue.request(["a.pdf"])
    worker = work_on(queue, tmp_path)
    worker.next()
    assert queue.jobs()[0].state is JobState.RUNNING
    worker._let_go()  # as the system does for a killed process
    assert queue.jobs()[0].state is JobState.INTERRUPTED
    queue.request()
    again = work_on(queue, tmp_path).next()
    assert again is not None
    assert again.remove == ("a.pdf",)


def test_a_removal_that_is_done_is_not_taken_over(queue: JobQueue, tmp_path: Path) -> None:
    queue.request(["a.pdf"])
    worker = work_on(queue, tmp_path)
    job = worker.next()
    assert job is not None
    worker.note(Job(**{**job_fields(job), "removed": True}))
    worker._let_go()
    queue.request()
    again = work_on(queue, tmp_path).next()
    assert again is not None
    assert again.remove == ()


def test_old_jobs_are_forgotten_and_strange_files_passed_over(queue: JobQueue, tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs/strange.json").write_text("{}", "utf-8")
    (tmp_path / "jobs/half.json").write_text('{"id": ', "utf-8")
    (tmp_path / "jobs/deep.json").write_text("[" * 200_000, "utf-8")
    for odd in ({"id": "../odd"}, {"id": 5}, {"number": "1"}, {"report": []}, {"remove": 5}, {"done": [1]}):
        (tmp_path / "jobs/odd.json").write_text(json.dumps({**asdict(Job("odd")), **odd}), "utf-8")
        assert queue.jobs() == []
    for _ in range(KEPT + 5):
        queue.request()
        worker = work_on(queue, tmp_path)
        job = worker.next()
        assert job is not None
        worker.note(Job(**{**job_fields(job), "state": JobState.FINISHED}))
        assert worker.next() is None
    assert KEPT <= len(queue.jobs()) <= KEPT + 1


def test_the_end_of_a_job_is_told_once_however_many_services_look(tmp_path: Path) -> None:
    told: list[JobState] = []
    services = [JobQueue(tmp_path, on_end=told.append) for _ in range(3)]
    services[0].request()
    worker = work_on(services[0], tmp_path)
    job = worker.next()
    assert job is not None
    for service in services:
        service.jobs()
    assert told == []
    worker.note(Job(**{**job_fields(job), "state": JobState.FAILED}))
    for service in services * 2:
        service.jobs()
    assert told == [JobState.FAILED]
    services[1].request()
    worker.next()
    worker._let_go()  # as the system does for a killed process
    for service in services * 2:
        service.jobs()
    assert told == [JobState.FAILED, JobState.INTERRUPTED]
    assert all(job.told for job in JobQueue(tmp_path, on_end=told.append).jobs())


def test_jobs_that_an_earlier_ankare_ended_are_not_told_now(tmp_path: Path) -> None:
    told: list[JobState] = []
    queue = JobQueue(tmp_path, on_end=told.append)
    (tmp_path / "jobs").mkdir()
    queue.note(Job("20250101T000000000000-abcdefgh", state=JobState.FINISHED))
    path = next((tmp_path / "jobs").glob("*.json"))
    path.write_text(json.dumps({name: value for name, value in json.loads(path.read_text()).items() if name != "told"}))
    assert len(queue.jobs()) == 1
    assert told == []


# The process


def test_progress_and_report_are_told(librarian: Librarian) -> None:
    job = librarian.done(librarian.put("ett.md", note(1)))
    assert (job["state"], job["done"], job["total"], job["error"]) == ("finished", 1, 1, "")
    assert job["requested"] <= job["started"] <= job["ended"]
    assert job["report"]["documents"] == 2


def test_a_job_is_counted_soon_after_its_end_although_nobody_looks_at_it(librarian: Librarian) -> None:
    assert librarian.post("jobs", {}).status_code == 202
    counted = 'ankare_ingest_jobs_total{status="finished"} 1.0'
    deadline = time.monotonic() + 120
    while counted not in librarian.client.get("/metrics").text:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    librarian.get("jobs")
    assert counted in librarian.client.get("/metrics").text


def test_a_job_is_followed_as_events_until_it_is_over(librarian: Librarian) -> None:
    job_id = librarian.put("ett.md", note(1)).json()["job"]["id"]
    with librarian.client.stream(
        "GET", f"/api/admin/jobs/{job_id}", headers={**ADMIN, "Accept": "text/event-stream"}
    ) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line]
    told = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    assert set(lines[::2]) == {"event: job"}
    assert told[-1]["state"] == "finished"
    assert told[-1]["report"]["files"][0]["source"] == "ett.md"


def test_the_list_of_jobs_stays_short_and_the_job_has_all_files(
    librarian: Librarian, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes_admin_jobs, "MOST_FILES", 2)
    with locked(Home(librarian.home)):
        job_id = librarian.put("a.md", note(1)).json()["job"]["id"]
        while librarian.get(f"jobs/{job_id}")["stage"] != "waiting":
            time.sleep(0.05)
        for name in ("b.md", "c.md"):
            librarian.put(name, note(1))
        last = librarian.put("z.pdf", b"%PDF-1.4 nothing").json()["job"]["id"]
    librarian.over(last)
    listed = {job["id"]: job["report"] for job in librarian.get("jobs")["jobs"]}
    whole = {job_id: librarian.over(job_id)["report"] for job_id in listed}
    first, second = sorted(listed)
    assert [file["source"] for file in listed[first]["files"]] == ["z.pdf", "a.md"]
    assert len(whole[first]["files"]) == 4
    assert (listed[first]["more"], whole[first]["more"]) == (True, False)
    assert (listed[second], whole[second]["unchanged"]) == (whole[second], 3)


def test_another_ingest_is_waited_for(librarian: Librarian, home: Path) -> None:
    with locked(Home(home)):
        job_id = librarian.put("ett.md", note(1)).json()["job"]["id"]
        while librarian.get(f"jobs/{job_id}")["stage"] != "waiting":
            time.sleep(0.05)
        assert librarian.get(f"jobs/{job_id}")["state"] == "running"
    assert librarian.over(job_id)["state"] == "finished"


def test_a_job_that_cannot_be_done_says_why(librarian: Librarian, home: Path) -> None:
    current = Home(home).version_folder() / "manifest.json"
    current.write_text("{}", "utf-8")
    job = librarian.done(librarian.put("ett.md", note(1)))
    assert job["state"] == "failed"
    assert "manifest.json" in job["error"]


def test_reading_again_without_a_body_is_reading_the_library_again(librarian: Librarian) -> None:
    answer = librarian.client.post("/api/admin/jobs", headers=ADMIN)
    assert librarian.done(answer)["state"] == "finished"
    assert librarian.post("jobs", {"everything": "yes"}).status_code == 400


def test_a_home_without_an_index_gets_one_with_the_first_upload(tmp_path: Path) -> None:
    with opened(tmp_path / "new") as librarian:
        assert librarian.get("documents") == {"total": 0, "offset": 0, "documents": []}
        librarian.take_in("ett.md", note(1))
        assert librarian.sources() == ["ett.md"]


def test_the_packs_profile_is_used_where_the_home_has_none(tmp_path: Path) -> None:
    pack = pack_of(tmp_path / "pack")
    with opened(tmp_path / "new", pack=pack) as librarian:
        table = "metric,entity,period,value,unit\nREVENUE,BOLAG,2024,7,SEK_M\n"
        assert librarian.take_in("ett.csv", table)["facts"] == 1


def test_the_process_is_told_no_key_that_it_does_not_need(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANKARE_LLM_API_KEY", "from-the-environment")
    with opened(home, llm_api_key="from-the-settings") as librarian, locked(Home(home)):
        job_id = librarian.put("ett.md", note(1)).json()["job"]["id"]
        while not (pid := json.loads((home / "jobs" / f"{job_id}.json").read_bytes())["pid"]):
            time.sleep(0.05)
        told = Path(f"/proc/{pid}/environ")
        environment = told.read_bytes() if told.exists() else b"ANKARE_HOME"
    assert b"ANKARE_HOME" in environment
    for secret in (b"from-the-environment", b"from-the-settings", TOKEN.encode()):
        assert secret not in environment


# Killed


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)


def many_pages(number: int) -> bytes:
    return pdf([[f"Rum {number} {words(40)}."] * 12] * 40)


def killed_in_the_middle(librarian: Librarian, home: Path) -> str:
    """Upload much, and kill the process while it reads; gives the job's id."""
    with locked(Home(home)):
        job_id = str(librarian.put("fil0.pdf", many_pages(0)).json()["job"]["id"])
        for number in range(1, 6):
            librarian.put(f"fil{number}.pdf", many_pages(number))
        while librarian.get(f"jobs/{job_id}")["stage"] != "waiting":
            time.sleep(0.05)
    while librarian.get(f"jobs/{job_id}")["total"] == 0:
        time.sleep(0.01)
    record = json.loads((home / "jobs" / f"{job_id}.json").read_bytes())
    assert record["state"] == "running"
    kill(record["pid"])
    return job_id


def test_after_a_kill_the_last_good_index_serves_and_the_next_job_mends(librarian: Librarian, home: Path) -> None:
    before = Home(home).current_version()
    job_id = killed_in_the_middle(librarian, home)
    assert Home(home).current_version() == before
    assert librarian.ask("Vad ska testas varje vecka?")["answered"]
    assert [file["name"] for file in librarian.get("files")["files"]] == [f"fil{number}.pdf" for number in range(6)]
    job = librarian.over(job_id)
    assert job["state"] == "interrupted"
    mended = librarian.done(librarian.post("jobs", {}))
    assert mended["state"] == "finished"
    assert librarian.sources() == ["drift.md", *(f"fil{number}.pdf" for number in range(6))]


def test_after_a_kill_another_service_goes_on_with_what_waited(home: Path) -> None:
    with opened(home) as librarian:
        job_id = killed_in_the_middle(librarian, home)
        waiting = [job["id"] for job in librarian.get("jobs")["jobs"] if job["state"] == "queued"]
    with opened(home) as librarian:
        deadline = time.monotonic() + 60
        while {"queued", "running"} & set(states(home).values()):  # nobody asks: it goes on by itself
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert librarian.over(job_id)["state"] == "interrupted"
        for other in waiting:
            assert librarian.over(other)["state"] == "finished"


def states(home: Path) -> dict[str, str]:
    found = (json.loads(path.read_bytes()) for path in (home / "jobs").glob("*.json"))
    return {job["id"]: job["state"] for job in found}


def test_no_process_is_left_of_a_killed_job(librarian: Librarian, home: Path) -> None:
    killed_in_the_middle(librarian, home)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and readers_of(home):
        time.sleep(0.1)
    assert librarian.done(librarian.post("jobs", {}))["state"] == "finished"
    assert readers_of(home) == []


def readers_of(home: Path) -> list[int]:
    """Processes of other sessions that were started for this home and have no parent any more."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                command = (entry / "cmdline").read_bytes()
            except (OSError, ValueError):
                continue
            if f"ANKARE_HOME={home}\0".encode() in environment and parent == 1 and b"library_runner" in command:
                found.append(int(entry.name))
    return found


def test_a_document_of_another_folder_goes_although_its_removal_was_killed(librarian: Librarian, home: Path) -> None:
    found = librarian.get("documents")["documents"][0]
    with locked(Home(home)):
        job_id = librarian.delete(f"documents/{found['id']}").json()["job"]["id"]
        while librarian.get(f"jobs/{job_id}")["stage"] != "waiting":
            time.sleep(0.05)
        kill(json.loads((home / "jobs" / f"{job_id}.json").read_bytes())["pid"])
    assert librarian.over(job_id)["state"] == "interrupted"
    assert librarian.sources() == ["drift.md"]
    librarian.done(librarian.post("jobs", {}))
    assert librarian.sources() == []


def test_a_runner_without_the_lock_does_nothing(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ankare.service.library.runner", "99"],
        env={**os.environ, "ANKARE_HOME": str(home)},
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert not (home / "jobs").exists()


# Saboteurs


def test_a_saboteur_that_believes_what_a_job_says_of_itself_is_caught(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_jobs.JobQueue, "_settled", lambda self: self._read())
    with pytest.raises(AssertionError):
        test_a_job_that_says_it_runs_while_no_process_does_is_interrupted(queue, tmp_path)


def test_a_saboteur_that_reads_in_the_running_job_what_came_later_is_caught(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first(self: JobQueue, remove: Any = (), *, everything: bool = False) -> Job:
        return self._read()[0] if self._folder.is_dir() else original(self, remove, everything=everything)

    original = library_jobs.JobQueue.request
    monkeypatch.setattr(library_jobs.JobQueue, "request", first)
    with pytest.raises(AssertionError):
        test_what_is_asked_for_while_a_job_runs_becomes_one_more(queue, tmp_path)
