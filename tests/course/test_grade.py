"""Submissions that misbehave: each gets the right verdict, and the other tasks are graded."""

import io
import json
import shutil
import subprocess
import sys
import time
from dataclasses import asdict

import pytest
from rich.console import Console

from chapters.course import grade as grading
from chapters.course import graft
from chapters.course.checking import CheckFailed, fail
from chapters.course.grade import grade
from chapters.course.manifest import course
from chapters.course.paths import ROOT, SOLUTIONS
from chapters.course.report import Screen

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
    endless = messages(report["tasks"][0])
    assert "body.py, line 2, in read_body" in endless and "far too long" in endless


def test_the_stubs_are_not_attempted():
    report = grade(ONE, ONE.folder)
    assert report["points"] == 0
    assert {task["status"] for task in report["tasks"]} == {"not attempted"}


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


def usage_does(line: str) -> str:
    return f"def usage(prompt_tokens, completion_tokens):\n    {line}\n"


@pytest.mark.parametrize(
    "line",
    [
        "return {'x' * 10**6: '\\ud800'}",
        "print('\\x1b[2J' + 'x' * 10**6)\n    raise ValueError('\\ud800\\0' + 'x' * 10**6)",
    ],
)
def test_whatever_a_value_holds_the_verdict_is_short_and_plain(submission, line):
    task = spoil(submission, "answers.py", usage_does(line))
    assert task["status"] == "failed" and task["points"] > 0
    for check in task["checks"]:
        assert_short_and_plain(check["message"])


@pytest.mark.parametrize(
    "value", ["x" * 10**6, ["x"] * 10**5, "\ud800", "\x1b[2J\0", b"\xff" * 9999]
)
def test_a_verdict_is_short_and_plain(value):
    with pytest.raises(CheckFailed) as caught:
        fail("because", sent=value, got=value, expected=value)
    assert_short_and_plain(str(caught.value))
    assert str(caught.value).endswith("why       because")


def assert_short_and_plain(message: str) -> None:
    assert len(message) <= 2000 and message.replace("\n", "").isprintable()
    message.encode()


@pytest.mark.parametrize("method", ["__str__", "__repr__"])
def test_what_cannot_be_shown_is_said_to_be_so(submission, method):
    code = f"class Bad(Exception):\n    def {method}(self):\n        return 1 / 0\n\n\n"
    code += usage_does("raise Bad" if method == "__str__" else "return Bad()")
    task = spoil(submission, "answers.py", code)
    assert task["status"] == "failed" and task["points"] > 0
    assert "Bad" in messages(task) and "raises ZeroDivisionError" in messages(task)


def test_graded_code_may_replace_what_the_grader_uses(submission):
    code = "import builtins, json, os\n\nbuiltins.print = json.dumps = lambda *a, **k: '{}'\n"
    code += "os.write = os.getpid = lambda *a: 0\n"
    task = spoil(submission, "answers.py", code + usage_does("return 1"))
    assert task["status"] == "failed" and task["points"] > 0


@pytest.mark.parametrize(
    "code",
    [
        "import threading, time\n\nthreading.Thread(target=time.sleep, args=[99]).start()\n",
        "import atexit, time\n\natexit.register(time.sleep, 99)\n",
        "import os\n\n_usage = usage\n\n\n" + usage_does("os.fork()\n    return _usage(1, 2)"),
    ],
)
def test_what_is_left_running_holds_nobody_up_and_says_nothing(submission, code):
    with (submission / "answers.py").open("a", encoding="utf-8") as source:
        source.write("\n\n" + code)
    began = time.monotonic()
    task = grade_one(submission, "answers.py")
    assert time.monotonic() - began < grading.SECONDS
    assert len(task["checks"]) == ONE.tasks[2].checks
    assert task["status"] == ("failed" if "fork" in code else "passed")


def test_what_is_left_behind_is_told(submission):
    code = "import socket, threading\n\nheld = socket.create_server(('127.0.0.1', 0))\n"
    code += "wait = threading.Thread(target=threading.Event().wait, name='ticker', daemon=True)\n"
    with (submission / "answers.py").open("a", encoding="utf-8") as source:
        source.write(f"\n\n{code}wait.start()\n")
    task = grade_one(submission, "answers.py")
    assert task["points"] == task["out_of"]
    assert task["notes"][0] == "a thread is left running: ticker"
    assert task["notes"][1].startswith("a port is left open: ")


def test_opening_the_solution_is_told(submission):
    code = "import chapters\n\nroot = __import__('pathlib').Path(chapters.__path__[0]).parent\n"
    code += f"text = (root / 'solutions' / '{ONE.name}' / 'body.py').read_text()\n"
    with (submission / "answers.py").open("a", encoding="utf-8") as source:
        source.write(f"\n\n{code}")
    (note,) = grade_one(submission, "answers.py")["notes"]
    assert note.endswith(f"answers.py opens the solution: solutions/{ONE.name}/body.py")


def test_memory_without_end_is_told(submission):
    grows = "held = []\n    while 1: held.append(b'x' * 10**8)"
    task = spoil(submission, "answers.py", usage_does(grows))
    assert "a graded file may use 2 GiB of memory" in messages(task)
    assert "while 1: held.append" in messages(task)


def test_spoilt_and_second_records_count_for_nothing(tmp_path):
    lines = ['{"check": "a", "title": "", "message": "no"}', "{", "[1]", '{"check": "a", "tit']
    (tmp_path / "records").write_text("\n".join([*lines, lines[0].replace("no", ""), '"\x80"']))
    records = grading._read(tmp_path / "records")
    assert records == [{"check": "a", "title": "", "message": "no"}]


@pytest.mark.parametrize(
    "spoilt",
    [
        "text = 'ä'\n".encode("utf-16"),
        b"x = '\0'\n",
        b"x = '\xff'\n",
        f"x = {'-' * 9999}1\n".encode(),
        b"def oops(:\n",
    ],
)
def test_a_file_that_is_no_python_is_named(submission, spoilt):
    (submission / "answers.py").write_bytes(spoilt)
    task = grade_one(submission, "answers.py")
    assert (task["points"], task["status"]) == (0, "failed")
    assert f"at        {submission / 'answers.py'}" in messages(task)


@pytest.mark.parametrize("line", ["breakpoint()", "__import__('pdb').set_trace()"])
def test_a_breakpoint_is_told(submission, line):
    task = spoil(submission, "answers.py", usage_does(f"{line}\n    return 1"))
    assert "a breakpoint is left here" in messages(task) and line in messages(task)


def test_leaving_while_being_imported_is_told_by_every_check(submission):
    task = spoil(submission, "answers.py", "import sys\n\nsys.exit('done')\n")
    assert len({check["message"] for check in task["checks"]}) == 1
    assert "__main__" in messages(task) and "sys.exit('done')" in messages(task)


@pytest.mark.parametrize("file", ["body.py", "handler.py"])
def test_a_plain_def_is_told(submission, file):
    code = "def read_body(receive, limit=LIMIT):\n    return b''\n"
    if file == "handler.py":
        code = "class Handler(Handler):\n    def __call__(self, scope, receive, send):\n"
        code += "        return None\n"
    assert "the function must be `async def`" in messages(spoil(submission, file, code))


@pytest.mark.parametrize("word, told", [("async def", "a coroutine: "), ("def", "None")])
def test_a_result_of_the_wrong_kind_is_told(submission, word, told):
    code = f"{word} collect(replies, prompt_tokens):\n    pass\n"
    found = messages(spoil(submission, "answers.py", code))
    assert told in found and "a Completion" in found


def test_an_exception_behind_a_socket_is_told(submission):
    code = "class BlockingAnswer(BlockingAnswer):\n"
    code += "    async def __call__(self, endpoint, checked):\n        return 1 / 0\n"
    task = spoil(submission, "handler.py", code)
    check = next(check for check in task["checks"] if check["name"] == "test_real_callers")
    assert "ZeroDivisionError" in check["message"] and "return 1 / 0" in check["message"]


def test_a_submission_may_hold_a_package(submission):
    (submission / "helpers").mkdir()
    (submission / "helpers" / "__init__.py").write_text("from .more import join\n")
    (submission / "helpers" / "more.py").write_text("join = b''.join\n")
    body = submission / "body.py"
    source = "from chapters.ch01_http.helpers import join\n" + body.read_text("utf-8").replace(
        "from __future__ import annotations", ""
    )
    body.write_text(source.replace('b"".join(', "join("), "utf-8")
    assert grade_one(submission, "body.py")["status"] == "passed"


def test_the_last_task_takes_no_reference_for_a_missing_file(submission):
    (submission / "body.py").unlink()
    task = grade_one(submission, "harden.py")
    failed = [check for check in task["checks"] if not check["passed"]]
    assert [check["name"] for check in failed] == ["test_your_own_server"]
    assert f"there is no file {submission / 'body.py'}" in failed[0]["message"]


def test_a_given_file_that_is_gone_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(graft, "CHAPTERS", tmp_path)
    monkeypatch.setattr("chapters.course.manifest.CHAPTERS", tmp_path)
    finders, modules = list(sys.meta_path), dict(sys.modules)
    try:
        monkeypatch.setattr("chapters.__path__", [str(tmp_path)])
        (tmp_path / ONE.name).mkdir()
        graft.install(graft.references(ONE))
        with pytest.raises(ImportError, match="server.py is not there: it was given, and `make"):
            graft.build(ONE, None)
    finally:
        sys.meta_path[:] = finders
        for name in [n for n in sys.modules if n.startswith("chapters.ch0")]:
            del sys.modules[name]
        sys.modules.update({n: m for n, m in modules.items() if n.startswith("chapters.ch0")})


def test_local_time_does_not_pass_for_utc(submission):
    code = "import datetime\n\n_body = answer_body\n\n\ndef answer_body(*args):\n"
    code += "    now = datetime.datetime.utcnow().timestamp()\n"
    code += "    return _body(*args) | {'created': int(now)}\n"
    assert "since 1970 in UTC" in messages(spoil(submission, "answers.py", code))


def test_checks_that_fail_on_one_line_are_shown_once():
    console = Console(record=True, width=200, file=io.StringIO())
    same = "raised    KeyError\nat        body.py, line 3"
    checks = [grading.Check(n, f"title {n}", False, f"sent      {n}\n{same}") for n in "ab"]
    checks.append(grading.Check("c", "title c", False, "came back c"))
    Screen(ONE, "here", console).task(grading.TaskReport("1.1", "t", 0, 15, "failed", checks))
    shown = console.export_text()
    assert shown.count("KeyError") == 1 and shown.count("sent ") == 1
    assert all(word in shown for word in ("title a", "title b", "title c", "came back c"))


def run(*words):
    command = [sys.executable, "-m", "chapters.course", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_command_shows_and_writes_the_report(submission, tmp_path):
    for task in ONE.tasks[1:]:
        shutil.copy(ONE.folder / task.file, submission)
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
