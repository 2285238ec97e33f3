"""Each promise is a question to one exchange, or to two of them."""

from collections import namedtuple
from itertools import combinations

Exchange = namedtuple("Exchange", "body status prompts passes")


def _wasteful(exchange):
    return exchange.status in range(400, 500) and exchange.passes > 0


def _mixed(exchange):
    return exchange.status == 200 and len(exchange.prompts) != 1


def _remembering(one, other):
    alike = one.body == other.body and one.status == other.status == 200
    return alike and one[2:] != other[2:]


def violations(exchanges):
    found = [f"work for nothing: {e}" for e in filter(_wasteful, exchanges)]
    found += [f"not one prompt: {e}" for e in filter(_mixed, exchanges)]
    pairs = combinations(exchanges, 2)
    return found + [f"once {a}, then {b}" for a, b in pairs if _remembering(a, b)]
