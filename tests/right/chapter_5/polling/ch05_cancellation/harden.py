"""The moments of each request as a word, and a regular expression for right words."""

import re
from collections import defaultdict
from typing import NamedTuple

LETTERS = {
    "opened": "o",
    "last reply": "l",
    "abort asked": "a",
    "closed": "c",
    "pass": "p",
    "kv freed": "f",
}
HTTP = re.compile(r"o(l|a)c")
WORK = re.compile(r"(p+f)?")
LATE = re.compile(r"a.*p.*p")


class Moment(NamedTuple):
    kind: str
    uid: str


def violations(moments):
    words = defaultdict(str)
    for kind, uid in ((m.kind, m.uid) for m in moments):
        words[uid] += LETTERS[kind]
    return [f"{uid}: {word}" for uid, word in words.items() if not right(word)]


def right(word):
    http, work = re.sub("[pf]", "", word), re.sub("[olac]", "", word)
    return bool(HTTP.fullmatch(http) and WORK.fullmatch(work)) and not LATE.search(word)
