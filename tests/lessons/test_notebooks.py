"""Every notebook is its source, run: nothing fails now, and nothing had failed in what is kept."""

from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest

from chapters.course.lessons import NOTEBOOKS, execute, read, sources, written


def kept(source):
    return nbformat.read(written(source), as_version=4)


def named(source):
    return source.stem


def test_there_is_a_notebook_for_each_source_and_no_other():
    assert sorted(NOTEBOOKS.glob("*.ipynb")) == [written(source) for source in sources()]


@pytest.mark.parametrize("source", sources(), ids=named)
def test_what_is_kept_is_the_source_with_outputs_and_without_an_error(source):
    made, notebook = read(source), kept(source)
    assert [(c.cell_type, c.source) for c in notebook.cells] == [
        (c.cell_type, c.source) for c in made.cells
    ], "the source has changed since: run `make lessons`"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    outputs = [output for cell in code for output in cell.outputs]
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]


@pytest.fixture(scope="module")
def runs():
    """Every notebook being run, two at a time: much of their time is a paced server's."""
    with ThreadPoolExecutor(2) as pool:
        yield {source: pool.submit(execute, source) for source in sources()}


@pytest.mark.parametrize("source", sources(), ids=named)
def test_it_runs_from_top_to_bottom(source, runs):
    runs[source].result()
