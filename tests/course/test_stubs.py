"""Exercises are made from solutions, and neither can drift from the other."""

import ast
import subprocess
from pathlib import Path

import pytest

from chapters.course import hints, reset, serve, stubs
from chapters.course.graft import reference
from chapters.course.manifest import Chapter, course
from chapters.course.settings import Settings, UserError

TASKS = [(chapter, task) for chapter in course().values() for task in chapter.tasks]
each_task = pytest.mark.parametrize("chapter, task", TASKS, ids=[t.id for _, t in TASKS])


@each_task
def test_the_stub_is_the_solution_without_its_answers(chapter, task):
    assert (chapter.folder / task.file).read_text("utf-8") == stubs.stub(chapter, task)


@each_task
def test_the_stub_gives_nothing_away(chapter, task):
    text = stubs.stub(chapter, task)
    assert "SOLUTION" not in text and f'NotImplementedError("Task {task.id}: ' in text


@each_task
def test_every_exercise_is_short(chapter, task):
    source = reference(chapter, task).path.read_text("utf-8")
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]
    assert len(source.splitlines()) <= 110
    for function in functions:
        body = function.body[1:] if ast.get_docstring(function) else function.body
        assert function.end_lineno - (body[0].lineno if body else 0) < 25, function.name


@each_task
def test_attempted_is_read_from_the_source(chapter, task, tmp_path):
    file = tmp_path / task.file
    given = stubs.stub(chapter, task)
    for text, expected in {
        given: False,
        given + "\n# a thought\n": False,
        reference(chapter, task).path.read_text("utf-8"): True,
        given + "def oops(:\n": True,
        "": True,
    }.items():
        file.write_text(text, "utf-8")
        assert stubs.attempted(chapter, task, file) is expected


@each_task
def test_three_hints(chapter, task):
    assert len(task.hints) == 3 and all(len(hint) > 40 for hint in task.hints)


@pytest.mark.parametrize("chapter", course().values(), ids=lambda chapter: chapter.name)
def test_points_add_up_to_a_hundred(chapter):
    assert sum(task.points for task in chapter.tasks) == 100
    assert [task.number for task in chapter.tasks] == list(range(1, len(chapter.tasks) + 1))


@pytest.fixture
def own_chapter(tmp_path, monkeypatch):
    """Chapter 1's folder; all chapters, backups and hints are in a scratch place."""
    for chapter in course().values():
        (tmp_path / chapter.name).mkdir()
        (tmp_path / chapter.name / "server.py").touch()
    monkeypatch.setattr(Chapter, "folder", property(lambda chapter: tmp_path / chapter.name))
    monkeypatch.setattr(reset, "BACKUPS", tmp_path / "backups")
    monkeypatch.setattr(hints, "SHOWN", tmp_path / "hints.json")
    stubs.write(Settings())
    return tmp_path / "ch01_http"


def test_reset_keeps_what_it_replaces(own_chapter, tmp_path, capsys):
    (own_chapter / "body.py").write_text("mine")
    (own_chapter / "answers.py").unlink()
    (own_chapter / "notes.txt").write_text("stay")
    assert reset.main(Settings(), "1") == 0
    assert (own_chapter / "body.py").read_text() == stubs.stub(*TASKS[0])
    assert (own_chapter / "answers.py").exists() and (own_chapter / "notes.txt").exists()
    kept = [path for path in (tmp_path / "backups").rglob("*") if path.is_file()]
    assert [(path.name, path.read_text()) for path in kept] == [("body.py", "mine")]
    assert "body.py" in capsys.readouterr().out


def test_reset_of_a_fresh_chapter_changes_nothing(own_chapter, tmp_path):
    assert reset.main(Settings(), "1") == 0
    assert not (tmp_path / "backups").exists()


def test_reset_mends_what_became_of_a_file(own_chapter, tmp_path):
    (own_chapter / "body.py").unlink()
    (own_chapter / "body.py").mkdir()
    (own_chapter / "body.py" / "mine.txt").write_text("mine")
    assert reset.main(Settings(), "1") == 0
    assert (own_chapter / "body.py").read_text() == stubs.stub(*TASKS[0])
    assert [path.read_text() for path in (tmp_path / "backups").rglob("mine.txt")] == ["mine"]


def test_reset_takes_given_files_out_of_git_again(own_chapter, capsys):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a", *words], cwd=own_chapter)

    server = own_chapter / "server.py"
    server.write_text("given")
    git("init", "-q")
    git("add", ".")
    server.unlink()
    assert reset.main(Settings(), "1") == 0
    assert server.read_text() == "given" and "server.py" in capsys.readouterr().out


def test_a_given_file_that_nobody_has_is_said(own_chapter):
    (own_chapter / "server.py").unlink()
    with pytest.raises(UserError, match="server.py is not there.*it was given"):
        reset.main(Settings(), "1")


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: (path.unlink(), path.mkdir())])
def test_serving_without_a_file_says_which(own_chapter, spoil):
    spoil(own_chapter / "body.py")
    with pytest.raises(UserError, match="no file .*body.py: `make reset-chapter-1`"):
        serve.chapter(Settings(), "1")


BANNER = 'raise NotImplementedError("Task 1.1: read the body of a request")'


@pytest.mark.parametrize(
    "more, expected",
    [
        ("async def read_body(receive, limit=9):\n    return b''\n", True),
        ("async def mine(receive, limit=9):\n    return b''\n\n\nread_body = mine\n", True),
        ("from chapters.ch01_http.mine import read_body\n", True),
        ("del read_body\n", True),
        ("x = " + "-" * 100_000 + "1\n", True),
        (f"async def read_body(receive, limit=9):\n    {BANNER}\n", False),
        ("class Other:\n    def read_body(self):\n        return b''\n", False),
        ("def other():\n    read_body = 1\n    return read_body\n", False),
    ],
)
def test_the_last_meaning_of_a_name_counts(tmp_path, more, expected):
    file = tmp_path / "body.py"
    file.write_text(f"{stubs.stub(*TASKS[0])}\n\n{more}", "utf-8")
    assert stubs.attempted(*TASKS[0], file) is expected


def test_a_file_that_cannot_be_read_has_been_attempted(tmp_path):
    assert stubs.attempted(*TASKS[0], tmp_path)


def test_hints_come_one_at_a_time_and_begin_again_after_a_reset(own_chapter, capsys):
    first, second, third = TASKS[0][1].hints
    for seen, unseen in (
        ([first], second),
        ([first, second], third),
        ([first, second, third], "@"),
    ):
        hints.main(Settings(), "1.1")
        out = capsys.readouterr().out
        assert all(hint in out for hint in seen) and unseen not in out
    (own_chapter / "body.py").write_text("mine")
    reset.main(Settings(), "1")
    capsys.readouterr()
    hints.main(Settings(), "1.1")
    assert second not in capsys.readouterr().out


@pytest.mark.parametrize("task_id", ["1.9", "9.1", None])
def test_no_hint_for_no_task(task_id):
    with pytest.raises(UserError, match="there are: 1.1"):
        hints.main(Settings(), task_id)
