"""A program that uses the service: it has no model, and imports nothing of the course.

    python application.py http://127.0.0.1:1919 "What is the capital of France?"

Prints, as JSON, the answer and the megabytes that this program holds for itself.
"""

import json
import sys
import urllib.request

import psutil


def ask(url: str, question: str) -> str:
    """The service's answer to one question."""
    body = {"messages": [{"role": "user", "content": question}], "max_tokens": 8, "temperature": 0}
    request = urllib.request.Request(
        f"{url}/v1/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]


if __name__ == "__main__":
    answer = ask(*sys.argv[1:])
    memory = psutil.Process().memory_full_info().uss / 1e6
    print(json.dumps({"answer": answer, "megabytes": memory}))
