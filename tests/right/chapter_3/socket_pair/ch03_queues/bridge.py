"""A pair of sockets: a byte in one wakes the loop, which reads the other."""

import socket
from collections import deque


class Bridge:
    def __init__(self, loop, deliver):
        self.loop, self.deliver = loop, deliver
        self.outbox = deque()
        self.near, self.far = socket.socketpair()
        self.near.setblocking(False)
        self.far.setblocking(False)
        loop.add_reader(self.far, self.arrive)

    def post(self, replies):
        if not replies or self.loop.is_closed():
            return
        self.outbox.append(replies)
        try:
            self.near.send(b"!")
        except BlockingIOError:
            pass  # it is full of bytes that will wake the loop

    def arrive(self):
        self.far.recv(4096)
        joined = []
        while self.outbox:
            joined += self.outbox.popleft()
        if joined:
            self.deliver(joined)
