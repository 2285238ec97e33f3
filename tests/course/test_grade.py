"""Submissions that misbehave: each gets the right verdict, and the other tasks are graded."""

import json
import shutil
import subprocess
import sys
from dataclasses import asdict

import pytest

from chapters.course import grade as grading
from chapters.course import graft
from chapters.course.grade import grade
from chapters.course.manifest import course
from chapters.course.paths import ROOT, SOLUTIONS

ONE = course()[1]


@pytest.fixture
def submission(tmp_path):
    """A copy of the solution of chapter 1, to be spoilt."""
    return shutil.copytree(SOLUTIONS / ONE.name, tmp_path / "answers" / ONE.name)


@pytest.fixture(autouse=True)
def short_limit(monkeypatch):
    """An endless loop costs these tests a third of the usual limit; a right answer needs two."""
    monkeypatch.setattr(grading, "SECONDS", 10)


def spoil(submission, file: str, code: str) -> dict:
    """Put `code` after the solution's own; the report of the task whose file that is."""
    with (submission / file).open("a", encoding="utf-8") as source:
        source.write("\n\n" + code)
    task = grade_one(submission, file)
    assert task["points"] < task["out_of"]
    return task


def grade_one(submission, file: str) -> dict:
    """The report of one task alone."""
    task = next(task for task in ONE.tasks if task.file == file)
    own = {t.id: graft.Implementation(submission / t.file) for t in ONE.tasks}
    return asdict(grading.grade_task(ONE, task, own, graft.references(ONE)))


def messages(task: dict) -> str:
    return "\n".join(check["message"] for check in task["checks"])


def test_each_task_has_its_own_verdict(submission):
    (submission / "body.py").write_text("async def read_body(receive, limit=9):\n    while 1: 1\n")
    (submission / "requests.py").write_text("def parse_request(:\n")
    (submission / "answers.py").write_text("import os\n\nos._exit(0)\n")
    report = grade(ONE, submission)
    statuses = [task["status"] for task in report["tasks"]]
    assert statuses == ["timed out", "failed", "error", "passed", "error"]
    assert report["points"] == ONE.tasks[3].points + report["tasks"][4]["points"]


def test_the_stubs_are_not_attempted():
    report = grade(ONE, ONE.folder)
    assert report["points"] == 0
    assert {task["status"] for task in report["tasks"]} == {"not attempted"}


def test_an_endless_loop_times_out_at_its_own_line(submission):
    code = "async def read_body(receive, limit=LIMIT):\n    while True:\n        pass\n"
    task = spoil(submission, "body.py", code)
    assert task["status"] == "timed out"
    assert "body.py, line" in messages(task) and "in read_body" in messages(task)


def test_a_wait_that_never_ends_is_told_by_its_own_line(submission):
    code = "import asyncio\n\n\nclass Handler(Handler):\n"
    code += "    async def __call__(self, scope, receive, send):\n"
    code += "        await asyncio.Event().wait()\n"
    task = spoil(submission, "handler.py", code)
    assert "it waits at" in messages(task) and "handler.py, line" in messages(task)


@pytest.mark.parametrize("call", ["sys.exit(0)", "os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_leaving_the_interpreter_is_no_pass(submission, call):
    code = f"import os, sys\n\n\ndef usage(prompt_tokens, completion_tokens):\n    {call}\n"
    task = spoil(submission, "answers.py", code)
    assert task["status"] in ("failed", "error")
    assert not all(check["passed"] for check in task["checks"])


@pytest.mark.parametrize("call", ["sys.exit(0)", "os._exit(0)", "1 / 0"])
def test_leaving_while_being_imported_is_no_pass(submission, call):
    task = spoil(submission, "answers.py", f"import os, sys\n\n{call}\n")
    assert task["points"] == 0


def test_a_syntax_error_is_told_with_its_line(submission):
    task = spoil(submission, "requests.py", "def oops(:\n    pass\n")
    assert task["status"] == "failed" and task["points"] == 0
    assert "def oops(:" in messages(task) and "SyntaxError" in messages(task)


def test_printed_results_count_for_nothing(submission):
    code = (
        "import sys\n\n\ndef collect(replies, prompt_tokens):\n"
        "    print('6 passed in 0.01s', file=sys.stderr)\n"
        '    print(\'{"check": "test_text", "title": "", "message": ""}\')\n'
        "    print('{\"finished\": 0}')\n"
    )
    task = spoil(submission, "answers.py", code)
    assert task["status"] == "failed"
    assert {c["name"] for c in task["checks"] if not c["passed"]} >= {"test_text"}


@pytest.mark.parametrize("code", ["del collect\n", "gather = collect\ndel collect\n"])
def test_a_missing_function_is_named(submission, code):
    task = spoil(submission, "answers.py", code)
    assert task["status"] == "failed"
    assert "answers.py has no collect" in messages(task)


def test_an_unfinished_function_is_no_missing_attempt(submission):
    code = "def usage(prompt_tokens, completion_tokens):\n"
    code += '    raise NotImplementedError("Task 1.3: the JSON answer")\n'
    task = spoil(submission, "answers.py", code)
    assert task["status"] == "failed" and "not written yet" in messages(task)


def test_importing_the_solution_is_refused(submission):
    code = "from solutions.ch01_http.body import read_body\n"
    task = spoil(submission, "body.py", code)
    assert task["points"] == 0 and "imports the solution" in messages(task)


def test_names_of_checks_in_a_submission_are_not_collected(submission):
    code = "def test_one_piece(read_body):\n    pass\n\n\ndef test_more():\n    assert False\n"
    with (submission / "body.py").open("a", encoding="utf-8") as source:
        source.write(code)
    task = grade_one(submission, "body.py")
    assert task["status"] == "passed" and len(task["checks"]) == ONE.tasks[0].checks


def test_a_missing_file_is_an_error_that_names_it(submission):
    (submission / "handler.py").unlink()
    task = grade_one(submission, "handler.py")
    assert task["status"] == "error" and "handler.py" in messages(task)


def test_what_the_code_printed_is_shown_with_the_failure(submission):
    code = "def usage(prompt_tokens, completion_tokens):\n    print('here', prompt_tokens)\n"
    assert "here 11" in messages(spoil(submission, "answers.py", code))


def test_an_exception_is_told_by_the_students_line(submission):
    code = "def usage(prompt_tokens, completion_tokens):\n    return {}['prompt']\n"
    found = messages(spoil(submission, "answers.py", code))
    assert "answers.py, line" in found and "return {}['prompt']" in found and "KeyError" in found


def test_a_forgotten_await_is_told(submission):
    code = (
        "_collect = collect\n\n\nasync def _log():\n    pass\n\n\n"
        "def collect(replies, prompt_tokens):\n    _log()\n"
        "    return _collect(replies, prompt_tokens)\n"
    )
    found = messages(spoil(submission, "answers.py", code))
    assert "never awaited" in found


def test_fewer_checks_than_declared_is_no_pass(submission, monkeypatch):
    monkeypatch.setattr(grading, "_read", lambda path: [{"collected": []}, {"finished": 5}])
    task = grade_one(submission, "body.py")
    assert (task["points"], task["status"]) == (0, "error")


def test_a_file_changed_twice_within_a_second_is_graded_as_it_is(submission):
    body = submission / "body.py"
    right = body.read_text("utf-8")
    for _ in range(2):
        body.write_text(right.replace("size > limit", "size < limit"), "utf-8")
        assert grade_one(submission, "body.py")["status"] == "failed"
        body.write_text(right, "utf-8")
        assert grade_one(submission, "body.py")["status"] == "passed"


def run(*words):
    command = [sys.executable, "-m", "chapters.course", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_command_shows_and_writes_the_report(submission, tmp_path):
    (submission / "body.py").write_text("read_body = None\n")
    target = tmp_path / "report.json"
    done = run("test-chapter", "1", f"SUBMISSION={submission.parent}", f"JSON={target}")
    report = json.loads(target.read_text("utf-8"))
    assert done.returncode == 1
    assert f"{report['points']}/100 points" in done.stdout and "hint-1.1" in done.stdout
    assert "\x1b" not in done.stdout
    assert {"chapter", "points", "out_of", "graded", "tasks"} == report.keys()
    keys = {"id", "title", "points", "out_of", "status", "checks", "hint"}
    assert all(task.keys() == keys for task in report["tasks"])


def test_the_command_gives_full_marks_to_the_solutions():
    done = run("test-chapter", "1", "SUBMISSION=solutions")
    assert (done.returncode, "100/100" in done.stdout) == (0, True)


def test_the_command_begins_with_where_to_begin():
    done = run("test-chapter", "1")
    assert done.returncode == 1
    assert done.stdout.strip() == (
        "0/100: nothing attempted yet, start with Task 1.1 in chapters/ch01_http/body.py"
    )
