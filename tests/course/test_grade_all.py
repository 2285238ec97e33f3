import csv
import json
import shutil

import pytest

from chapters.course import grade_all
from chapters.course.paths import SOLUTIONS
from chapters.course.settings import Settings, UserError


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """A folder of submissions of chapter 1, graded: most of them are broken in some way."""
    folder = tmp_path_factory.mktemp("handed-in")
    shutil.copytree(SOLUTIONS / "ch01_http", folder / "ada" / "ch01_http")
    shutil.copytree(SOLUTIONS / "ch01_http", folder / "bob" / "my work" / "homework" / "ch01_http")
    shutil.copytree(SOLUTIONS / "ch01_http", folder / "eve" / "ch01_http")
    (folder / "eve" / "ch01_http" / "body.py").write_text("def read_body(:\n")
    (folder / "empty").mkdir()
    (folder / "other" / "src").mkdir(parents=True)
    (folder / "note.txt").write_text("sorry, late")
    (folder / "huge").mkdir()
    with (folder / "huge" / "model.bin").open("wb") as file:
        file.truncate(grade_all.LARGEST + 1)
    shutil.copytree(SOLUTIONS / "ch01_http", folder / "twice" / "draft" / "ch01_http")
    shutil.copytree(SOLUTIONS / "ch01_http", folder / "twice" / "final" / "ch01_http")
    assert grade_all.main(Settings(dir=folder, chapter=1, gradescope=True)) == 0
    with (folder / "grades" / "grades.csv").open(newline="", encoding="utf-8") as file:
        return folder / "grades", {row["submission"]: row for row in csv.DictReader(file)}


def test_every_submission_has_a_row(handed_in):
    _, rows = handed_in
    names = ["ada", "bob", "empty", "eve", "huge", "note.txt", "other", "twice"]
    assert list(rows) == names
    assert {row["out_of"] for row in rows.values()} == {"100"}


def test_right_ones_have_full_marks_also_deeper_inside(handed_in):
    _, rows = handed_in
    for name in ("ada", "bob"):
        assert (rows[name]["points"], rows[name]["note"], rows[name]["1.4"]) == ("100", "", "25")


def test_one_broken_file_costs_its_task(handed_in):
    _, rows = handed_in
    assert (rows["eve"]["1.1"], rows["eve"]["1.2"]) == ("0", "20")


@pytest.mark.parametrize(
    "name, note",
    [
        ("empty", "holds none of the folders"),
        ("other", "holds none of the folders"),
        ("note.txt", "is no folder"),
        ("huge", "is larger than 50 MB"),
    ],
)
def test_what_cannot_be_graded_says_so(handed_in, name, note):
    _, rows = handed_in
    assert rows[name]["points"] == "0" and rows[name]["note"].startswith(note)


def test_two_sets_of_answers_are_told(handed_in):
    _, rows = handed_in
    assert rows["twice"]["points"] == "100" and "the first was graded" in rows["twice"]["note"]


def test_each_has_its_report_and_gradescopes_results(handed_in):
    folder, rows = handed_in
    (report,) = json.loads((folder / "eve.json").read_text("utf-8"))
    results = json.loads((folder / "eve" / "results.json").read_text("utf-8"))
    assert results["score"] == report["points"] == int(rows["eve"]["points"])
    first = results["tests"][0]
    assert (first["score"], first["max_score"]) == (0, 15) and "SyntaxError" in first["output"]


def test_a_second_run_does_not_grade_its_own_results(handed_in, capsys):
    folder, rows = handed_in
    shutil.rmtree(folder.parent / "huge")
    grade_all.main(Settings(dir=folder.parent, chapter=1))
    assert f"{len(rows) - 1} submissions" in capsys.readouterr().out


def test_no_folder_or_nothing_in_it(tmp_path):
    for settings in (Settings(), Settings(dir=tmp_path)):
        with pytest.raises(UserError):
            grade_all.main(settings)
