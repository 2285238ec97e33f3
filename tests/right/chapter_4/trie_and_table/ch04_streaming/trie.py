"""Aho and Corasick's automaton: a trie whose every node knows where to go on after a misfit."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    """depth: how long the word so far is; longest: the longest whole word that ends here, or 0."""

    depth: int = 0
    longest: int = 0
    fall: Node | None = None
    next: dict[str, Node] = field(default_factory=dict)

    def step(self, letter: str) -> Node:
        node = self
        while letter not in node.next and node.fall is not None:
            node = node.fall
        return node.next.get(letter, node)


def build(words: Iterable[str]) -> Node:
    root = Node()
    for word in words:
        node = root
        for letter in word:
            node = node.next.setdefault(letter, Node(node.depth + 1))
        node.longest = len(word)
    queue = deque([root])
    while queue:
        node = queue.popleft()
        for letter, child in node.next.items():
            child.fall = root if node is root else node.fall.step(letter)
            child.longest = child.longest or child.fall.longest
            queue.append(child)
    return root
