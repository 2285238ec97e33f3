import pytest

from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running


@pytest.fixture(scope="session")
def serving():
    """`serving(chapter, core)`: the reference server over a real socket, as a context manager."""

    def start(number: int, core):
        graft.install(graft.references(course()[number]))
        return running(graft.build(course()[number], core))

    return start
