"""A helper file of the student's own."""


def longest_overlap(text, word):
    """How much of the end of text is a proper beginning of word."""
    table = [0]
    for letter in word[1:]:
        length = table[-1]
        while length and word[length] != letter:
            length = table[length - 1]
        table.append(length + (word[length] == letter))
    state = 0
    for letter in text:
        while state and (state == len(word) or word[state] != letter):
            state = table[state - 1]
        state += word[state] == letter
    return state if state < len(word) else table[-1]


def tail(ids, count):
    return ids[max(0, len(ids) - count) :]
