"""The finished server on the embedded model: many at once get what each gets alone."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from chapters.core import CheckedRequest, GenerationRequest, Message, Sampling, generate, prepare
from chapters.course.manifest import course

SUBJECTS = ["sea", "sun", "moon", "tree", "bird", "fish", "lion", "bear"]
SUBJECTS += ["rain", "snow", "wind", "fire", "iron", "gold", "salt", "milk"]
QUESTIONS = [f"{how} the {what}." for what in SUBJECTS for how in ("Describe", "Praise")]
TOKENS = 5


@pytest.fixture(scope="module")
def url(serving, embedded):
    with serving(max(course()), embedded) as address:
        yield f"{address}/v1/chat/completions"


def body(question: str, **fields) -> dict:
    said = [{"role": "user", "content": question}]
    return {"messages": said, "max_tokens": TOKENS, "temperature": 0} | fields


def alone(core, question: str, **sampling) -> str:
    checked = CheckedRequest((Message("user", question),), Sampling(TOKENS, **sampling))
    prompt, settled = prepare(core, checked)
    return "".join(r.text for r in generate(core, GenerationRequest("alone", prompt, settled)))


def test_32_at_once_are_exactly_what_each_is_alone(url, embedded):
    def ask(question):
        answer = httpx.post(url, json=body(question), timeout=None).json()
        return answer["choices"][0]["message"]["content"]

    with ThreadPoolExecutor(len(QUESTIONS)) as callers:
        together = list(callers.map(ask, QUESTIONS))
    assert len(set(together)) > len(QUESTIONS) // 2
    assert together == [alone(embedded, question) for question in QUESTIONS]
    assert embedded.kv_tokens == 0


def test_a_seed_reproduces_an_answer_whatever_runs_beside_it(url, embedded):
    def ask(seed):
        fields = {"temperature": 1, "seed": seed, "top_k": 50}
        answer = httpx.post(url, json=body("Name a colour.", **fields), timeout=None).json()
        return answer["choices"][0]["message"]["content"]

    with ThreadPoolExecutor(6) as callers:
        together = list(callers.map(ask, [1, 2, 3, 1, 2, 3]))
    assert together[:3] == together[3:]
    again = [alone(embedded, "Name a colour.", temperature=1, seed=s, top_k=50) for s in (1, 2, 3)]
    assert together[:3] == again
