"""One automaton for all stop strings (Aho and Corasick): a state is what may become one of them."""

from collections import deque


class _Node:
    def __init__(self, depth):
        self.next, self.fail, self.depth, self.longest = {}, None, depth, 0


def _machine(words):
    root = _Node(0)
    for word in words:
        node = root
        for letter in word:
            node = node.next.setdefault(letter, _Node(node.depth + 1))
        node.longest = len(word)
    queue = deque()
    for child in root.next.values():
        child.fail = root
        queue.append(child)
    while queue:
        node = queue.popleft()
        node.longest = max(node.longest, node.fail.longest)
        for letter, child in node.next.items():
            fail = node.fail
            while fail is not None and letter not in fail.next:
                fail = fail.fail
            child.fail = fail.next[letter] if fail else root
            queue.append(child)
    return root


class StopStrings:
    def __init__(self, stop=()):
        self._root = self._state = _machine(stop)
        self._held = ""
        self.stopped = False

    def feed(self, text):
        if self.stopped:
            return ""
        whole, first = self._held + text, None
        for number, letter in enumerate(text, len(self._held) + 1):
            while self._state is not self._root and letter not in self._state.next:
                self._state = self._state.fail
            self._state = self._state.next.get(letter, self._root)
            if self._state.longest:
                begin = number - self._state.longest
                first = begin if first is None else min(first, begin)
        if first is not None:
            self.stopped, self._held = True, ""
            return whole[:first]
        sure = len(whole) - self._state.depth
        self._held = whole[sure:]
        return whole[:sure]

    def flush(self):
        held, self._held = self._held, ""
        self._state = self._root
        return held
