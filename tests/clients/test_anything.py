"""Whatever is sent to the finished server, the answer is no 500 and comes."""

import json
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chapters.core import Body, ScriptedCore
from chapters.course.manifest import course

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
TURNS = st.lists(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "system", "x"]), "content": VALUES}),
    max_size=3,
)
FIELDS = st.dictionaries(st.sampled_from([*Body.model_fields, "n", "other"]), VALUES, max_size=5)
NEAR_MISSES = st.tuples(FIELDS, TURNS).map(lambda pair: pair[0] | {"messages": pair[1]})
PATHS = ["/v1/chat/completions", "/v1/completions"]


@pytest.fixture(scope="module")
def client(serving):
    core = ScriptedCore(max_context=200)
    with serving(max(course()), core) as url, httpx.Client(base_url=url) as client:
        yield client


anything = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def answered(answer: httpx.Response) -> None:
    """It is an answer or an explained refusal, and the server is well afterwards."""
    assert answer.status_code in (200, 400, 404, 405, 413), answer.text
    if answer.status_code != 200:
        assert answer.json()["error"]["message"]


@anything
@given(path=st.sampled_from(PATHS), body=st.binary(max_size=60))
def test_any_bytes(client, path, body):
    answered(client.post(path, content=body))


@anything
@given(path=st.sampled_from(PATHS), body=VALUES | FIELDS | NEAR_MISSES)
def test_any_json(client, path, body):
    answered(client.post(path, content=json.dumps(body).encode()))


@anything
@given(method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH"]), path=st.text(max_size=9))
def test_any_path(client, method, path):
    answered(client.request(method, "/" + quote(path, safe="")))


def test_nothing_was_left_behind(client):
    stats = client.get("/stats").json()
    assert [stats[key] for key in ("open", "running", "waiting", "kv_tokens")] == [0, 0, 0, 0]
    assert client.get("/health").json() == {"status": "ok"}
