"""`make grade-all DIR=folder`: grades a folder of submissions, some at a time, each kept apart.

A submission is a folder laid out as `solutions/` is. Beside them appear `grades.csv`, a row a
submission and a column a task, and `reports/NAME.json`; with `GRADESCOPE=1` also
`reports/NAME/results.json`, as Gradescope's autograder reads it.

Source: Gradescope, "Autograder specifications", output format.
"""

from __future__ import annotations

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import track

from chapters.course.grade import AT_ONCE, chosen, grade
from chapters.course.manifest import Chapter, course
from chapters.course.settings import Settings, UserError

OUT = "grades"
LARGEST = 50 * 1024**2  # bytes; an exercise has a few thousand


def main(settings: Settings, _: str | None = None) -> int:
    """Grade every folder in DIR, for all chapters, or for the one that CHAPTER names."""
    if settings.dir is None:
        raise UserError("Which folder of submissions? For example: make grade-all DIR=handed-in.")
    chapters = [chosen(str(settings.chapter))] if settings.chapter else list(course().values())
    found = sorted(p for p in settings.dir.iterdir() if p.name != OUT and p.name[0] != ".")
    if not found:
        raise UserError(f"{settings.dir} holds no submissions: expected a folder for each.")
    out = settings.dir / OUT
    out.mkdir(exist_ok=True)
    console = Console(highlight=False)
    rows = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        reports = pool.map(lambda submission: graded(submission, chapters), found)
        told = track(zip(found, reports, strict=True), "grading", len(found), console=console)
        for submission, (row, report) in told:
            rows.append(row)
            points, note = f"{row['points']}/{row['out_of']}", row["note"] and f", {row['note']}"
            console.print(f"{submission.name}: {points}{note}")
            _write(out / f"{submission.name}.json", report)
            if settings.gradescope:
                _write(out / submission.name / "results.json", gradescope(report, row["note"]))
    _table(out / "grades.csv", chapters, rows)
    console.print(f"{len(rows)} submissions: {out / 'grades.csv'}")
    return 0


def graded(submission: Path, chapters: list[Chapter]) -> tuple[dict, list[dict]]:
    """(the submission's row, its grade reports). What cannot be graded is a note, and 0 points."""
    row = {"submission": submission.name, "points": 0, "note": ""}
    row["out_of"] = sum(task.points for chapter in chapters for task in chapter.tasks)
    try:
        row["note"], root = find_root(submission)
        reports = [grade(c, root / c.name) for c in chapters if root and (root / c.name).is_dir()]
    except Exception as error:  # whatever is wrong with one submission, the others are graded
        return {**row, "note": f"could not be graded: {type(error).__name__}: {error}"}, []
    for report in reports:
        row["points"] += report["points"]
        row.update({task["id"]: task["points"] for task in report["tasks"]})
        notes = [
            f"{task['id']}: {note}" for task in report["tasks"] for note in task.get("notes", ())
        ]
        row["note"] = "; ".join(filter(None, [row["note"], *notes]))
    return row, reports


def find_root(submission: Path) -> tuple[str, Path | None]:
    """(a note, the folder that holds the chapters' folders), which may lie deeper inside."""
    if not submission.is_dir():
        return "is no folder", None
    size, names = 0, {chapter.name for chapter in course().values()}
    roots = []
    for path in sorted(submission.rglob("*")):
        size += path.stat().st_size if path.is_file() else 0
        if size > LARGEST:
            return f"is larger than {LARGEST // 1024**2} MB", None
        if path.is_dir() and path.name in names and path.parent not in roots:
            roots.append(path.parent)
    if not roots:
        return f"holds none of the folders {', '.join(sorted(names))}", None
    if len(roots) > 1:
        places = ", ".join(str(root.relative_to(submission)) for root in roots)
        return f"holds several sets of answers, in {places}: the first was graded", roots[0]
    return "", roots[0]


def gradescope(reports: list[dict], note: str) -> dict:
    """The same, as Gradescope's `results.json`: a test a task."""
    tests = [
        {
            "name": f"Task {task['id']}: {task['title']}",
            "score": task["points"],
            "max_score": task["out_of"],
            "output": "\n\n".join(
                f"{check['title']}\n{check['message']}"
                for check in task["checks"]
                if not check["passed"]
            )
            or task["status"],
        }
        for report in reports
        for task in report["tasks"]
    ]
    return {"score": sum(test["score"] for test in tests), "output": note, "tests": tests}


def _table(path: Path, chapters: list[Chapter], rows: list[dict]) -> None:
    """One row a submission, one column a task."""
    with path.open("w", newline="", encoding="utf-8") as file:
        tasks = [task.id for chapter in chapters for task in chapter.tasks]
        table = csv.DictWriter(file, ["submission", "points", "out_of", *tasks, "note"])
        table.writeheader()
        table.writerows(rows)


def _write(path: Path, data) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False), "utf-8")
