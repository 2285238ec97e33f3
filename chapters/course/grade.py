"""Grades a chapter: each task in a process of its own, two at a time, with a time limit.

The outcome comes from the records of `run_task`, never from printed text or an exit status.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from chapters.course import calling, graft, real_server, run_task
from chapters.course.graft import Implementation
from chapters.course.manifest import Chapter, Task, course, up_to
from chapters.course.paths import SOLUTIONS, shown
from chapters.course.report import Screen
from chapters.course.settings import Settings, UserError
from chapters.course.stubs import attempted

SECONDS = 30  # wall-clock limit of one task; a right answer takes about two
AT_ONCE = 2
# Grading processes are forked from one in which the libraries are loaded already, where the
# system can fork: that saves most of the time that a task takes.
CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
PROCESSES = multiprocessing.get_context("forkserver" if CAN_FORK else "spawn")
LOADED = [module.__name__ for module in (run_task, calling, real_server)]
PROCESSES.set_forkserver_preload([*LOADED, "httpx", "starlette.applications"])


@dataclass
class Check:
    """The verdict of one check; `title` is its sentence, `message` is empty if it passed."""

    name: str
    title: str
    passed: bool
    message: str = ""


@dataclass
class TaskReport:
    """What became of one task.

    status: passed, failed, not attempted, timed out, or error.
    notes: what else is to be said: that it opens the solution, or leaves a thread or a port behind.
    """

    id: str
    title: str
    points: int
    out_of: int
    status: str
    checks: list[Check] = field(default_factory=list)
    hint: str = ""
    notes: list[str] = field(default_factory=list)


def main(settings: Settings, number: str | None) -> int:
    """`make test-chapter-N`: grade, show and, if asked, write the report. 0 at full marks."""
    chapter = chosen(number)
    folder = settings.submission / chapter.name if settings.submission else chapter.folder
    if not folder.is_dir():
        raise UserError(f"{shown(settings.submission)} holds no folder {chapter.name} to grade.")
    screen = Screen(chapter, shown(folder))
    report = grade(chapter, folder, mine=settings.on == "mine", tell=screen.task)
    screen.end(report)
    if settings.json:
        settings.json.write_text(json.dumps(report, indent=2, ensure_ascii=False), "utf-8")
    return 0 if report["points"] == report["out_of"] else 1


def chosen(number: str | None) -> Chapter:
    """The chapter of this number. Raises UserError if there is none."""
    if number is None or not number.isdigit() or int(number) not in course():
        have = ", ".join(str(n) for n in course())
        raise UserError(f"There is no chapter {number or 'without a number'}; there are: {have}.")
    return course()[int(number)]


def grade(
    chapter: Chapter, folder: Path, *, mine: bool = False, tell: Callable = lambda task: None
) -> dict:
    """The grade report of the exercise files in `folder`.

    mine: earlier chapters are those beside `folder`, in place of the reference.
    tell: called with each task's `TaskReport`, in order, as soon as it is there.
    """
    own = {task.id: Implementation(folder / task.file) for task in chapter.tasks}
    files = graft.references(chapter)
    if mine:
        for earlier in up_to(chapter)[:-1]:
            for task in earlier.tasks:
                path = folder.parent / earlier.name / task.file
                files[earlier.module(task)] = Implementation(path)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tasks = []
        for task in pool.map(lambda task: grade_task(chapter, task, own, files), chapter.tasks):
            tell(task)
            tasks.append(task)
    return {
        "chapter": chapter.number,
        "points": sum(task.points for task in tasks),
        "out_of": sum(task.out_of for task in tasks),
        "graded": shown(folder),
        "tasks": [_told(task) for task in tasks],
    }


def _told(task: TaskReport) -> dict:
    """A task's part of the grade report; `notes` are in it only if there are any."""
    return {k: v for k, v in asdict(task).items() if k != "notes" or v}


def grade_task(
    chapter: Chapter,
    task: Task,
    own: Mapping[str, Implementation],
    files: Mapping[str, Implementation],
) -> TaskReport:
    """Grade one task.

    own: task id → what is graded, of this chapter. files: module name → what else is imported.
    The chapter's last task runs all of the student's files together; every other one has the
    reference's around it, so that one bug costs one task.
    """
    file = own[task.id].path
    report = TaskReport(task.id, task.title, 0, task.points, "error", [], f"make hint-{task.id}")
    if not file.is_file():
        report.checks = [Check("file", "the file is there", False, f"there is no {shown(file)}")]
        return report
    if not attempted(chapter, task, file):
        report.status = "not attempted"
        return report
    tested = chapter.tasks if task is chapter.tasks[-1] else [task]
    grafted = {chapter.module(t): own[t.id] for t in tested}
    _run(chapter, task, {**files, **grafted}, list(grafted.values()), report)
    return report


def _run(chapter, task, files, graded, report: TaskReport) -> None:
    """Run the task's checks in a child process and fill in the report."""
    with tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True) as scratch:
        job = {
            "checks": str(chapter.check_file(task)),
            "files": {m: (str(i.path), i.overlay and str(i.overlay)) for m, i in files.items()},
            "folders": sorted({str(i.path.parents[1]) for i in graded} - {str(SOLUTIONS)}),
            "graded": [shown(path) for i in graded for path in (i.path, i.overlay) if path],
            "records": os.path.join(scratch, "records"),
            "stacks": os.path.join(scratch, "stacks"),
            "deadline": time.time() + SECONDS - 2,
        }
        Path(scratch, "job").write_text(json.dumps(job), "utf-8")
        status = _child(Path(scratch, "job"))
        records = _read(Path(job["records"]))
        stacks = Path(job["stacks"]).read_text("utf-8") if Path(job["stacks"]).exists() else ""
    _judge(task, records, status, _stuck_at(stacks, job["graded"]), report)


def _child(job: Path) -> int | None:
    """Grade a job in a process of its own and end all it started; its exit status, None if it
    ran out of time."""
    child = PROCESSES.Process(target=run_task.in_child, args=[str(job)])
    child.start()
    child.join(SECONDS)
    status = child.exitcode
    _end(child)
    return status


def _end(child) -> None:
    """Kill a child and what it started, dead or alive."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except AttributeError:  # Windows has no process groups of this kind
        child.kill()
    except (ProcessLookupError, PermissionError):
        child.kill()  # it was too young to have a group of its own
    child.join()


def _read(path: Path) -> list[dict]:
    """The records, without what is none and without second verdicts on a check."""
    lines = path.read_text("utf-8", errors="replace").splitlines() if path.exists() else []
    records, judged = [], set()
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and record.get("check", "") not in judged:
            judged |= {record["check"]} if "check" in record else set()
            records.append(record)
    return records


def _stuck_at(stacks: str, graded: list[str]) -> str:
    """Where the graded files stood when time ran out, from faulthandler's dump."""
    for file, number, name in re.findall(r'File "(.+?)", line (\d+) in (\S+)', stacks):
        if file in graded:
            return f"{file}, line {number}, in {name}"
    return ""


def _judge(task, records, status, stuck, report: TaskReport) -> None:
    """Turn records into a verdict. Whatever is missing from them was not passed."""
    report.notes = list(dict.fromkeys(r["aside"] for r in records if "aside" in r))
    report.checks = [
        Check(r["check"], r["title"], not r["message"], r["message"])
        for r in records
        if "check" in r
    ]
    collected = next((r["collected"] for r in records if "collected" in r), [])
    broken = next((r["broken"] for r in records if "broken" in r), "")
    finished = any("finished" in r for r in records)
    running = next((r["started"] for r in reversed(records) if "started" in r), "start")
    title = next((r["title"] for r in reversed(records) if r.keys() == {"title"}), running)
    if not finished or len(report.checks) < len(collected):
        report.status = "timed out" if status is None else "error"
        where = f", in your code at {stuck}" if stuck else ""
        if status is None:
            message = (
                f"still running after {SECONDS} s{where}: a loop or a wait that never ends, or "
                "code that takes far too long (it sleeps, prints a lot, does all anew each time)"
            )
        else:
            message = f"the interpreter ended (exit status {status}) in the middle of this check"
        report.checks.append(Check(running, title, False, message))
    elif broken or len(report.checks) < task.checks:
        why = broken or f"{len(report.checks)} checks ran, and there must be {task.checks}"
        report.checks.append(Check("collection", "every check is there", False, why))
    else:
        report.status = "passed" if all(c.passed for c in report.checks) else "failed"
    passed = sum(check.passed for check in report.checks)
    report.points = task.points * passed // max(task.checks, len(report.checks))
