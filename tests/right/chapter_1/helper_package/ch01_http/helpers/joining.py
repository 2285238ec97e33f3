def join(pieces):
    return b"".join(pieces)
