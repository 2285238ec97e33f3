"""The kill matrix: every wrong answer loses points where it says, every right one has them all."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from chapters.course import graft, matrix
from chapters.course.grade import AT_ONCE, grade_task
from chapters.course.graft import Implementation
from chapters.course.manifest import course
from chapters.course.paths import TESTS
from chapters.course.wrong import wrongs

WRONG = matrix.all_wrong()
RIGHT = [
    (chapter, folder)
    for chapter in course().values()
    for folder in sorted((TESTS / "right" / f"chapter_{chapter.number}").glob("*/"))
]


@pytest.fixture(scope="session")
def verdicts():
    return matrix.Verdicts()


@pytest.mark.parametrize("chapter, wrong", WRONG, ids=[f"{c.number}-{w.name}" for c, w in WRONG])
def test_wrong_answer_is_caught(chapter, wrong, verdicts):
    report = verdicts[chapter.number, wrong.name]
    failed = {check.name: check.message for check in report.checks if not check.passed}
    assert report.status == "failed", report
    assert report.points < report.out_of
    assert wrong.check in failed, f"caught by {sorted(failed)} instead"
    assert "why " in failed[wrong.check] or "raised " in failed[wrong.check]


def test_the_matrix_is_written_down(verdicts):
    assert matrix.FILE.read_text("utf-8") == matrix.table(verdicts), "run `make matrix`"


@pytest.mark.parametrize("chapter", course().values(), ids=lambda chapter: f"{chapter.number}-all")
def test_every_check_is_failed_by_some_wrong_answer(chapter, verdicts):
    reports = [verdicts[chapter.number, wrong.name] for wrong in wrongs(chapter)]
    failed = {check.name for report in reports for check in report.checks if not check.passed}
    for task in chapter.tasks:
        source = chapter.check_file(task).read_text("utf-8")
        assert set(re.findall(r"^def (test_\w+)", source, re.MULTILINE)) <= failed


@pytest.mark.parametrize("chapter, folder", RIGHT, ids=[f"{c.number}-{f.name}" for c, f in RIGHT])
def test_right_answer_has_full_marks(chapter, folder):
    own = {}
    for task in chapter.tasks:
        file = folder / chapter.name / task.file
        own[task.id] = Implementation(file) if file.exists() else graft.reference(chapter, task)
    files = graft.references(chapter)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for report in pool.map(lambda task: grade_task(chapter, task, own, files), chapter.tasks):
            assert report.status == "passed", report
