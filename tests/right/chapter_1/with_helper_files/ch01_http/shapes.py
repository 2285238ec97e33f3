"""A helper file of the student's own."""

from chapters.core import CHAT


def said(endpoint, text):
    return (
        {"message": {"role": "assistant", "content": text}} if endpoint is CHAT else {"text": text}
    )
