"""Two processes name their requests, and know nothing of each other.

python -m chapters.lessons.names '["new_uid", []]'
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count

from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.paths import ROOT
from chapters.lessons.running import own_tasks

REQUESTS = 1000  # that each process names


def two_processes(kind: str) -> list[list[str]]:
    """The names that two processes give, by "counting" or by Task 2.1's "new_uid"."""
    told = json.dumps([kind, own_tasks(2) if kind == "new_uid" else []])
    command = [sys.executable, "-m", "chapters.lessons.names", told]
    processes = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    return [process.communicate()[0].split() for process in processes]


def main(kind: str, own: list[str]) -> None:
    """In a process of its own: print the names of its requests."""
    if kind == "counting":
        numbers = count(1)
        names = [str(next(numbers)) for _ in range(REQUESTS)]
    else:
        graft.install(graft.references(course()[2], own=own))
        from chapters.ch02_request_ids.ids import new_uid

        names = [new_uid() for _ in range(REQUESTS)]
    print("\n".join(names))


if __name__ == "__main__":
    main(*json.loads(sys.argv[1]))
