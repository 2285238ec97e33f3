"use strict";
// Plays a recording again: at a part of its speed, or message by message.

const LONG_GAP = 1;  // seconds without a message that are passed over

class Player {
  // `tell(run, message)` is called after each message, or with null after a jump.
  constructor(messages, tell) {
    Object.assign(this, {messages, tell, run: new Run(), next: 0, clock: 0, speed: 0.25, playing: false});
    this.restart();
  }

  restart() {
    this.run = new Run();
    this.next = 0;
    while (this.next < this.messages.length && !this.shows(this.messages[this.next])) this.advance();
    this.clock = this.messages[this.next]?.at ?? 0;
    this.tell(this.run, null);
  }

  // Whether a message is worth a step of its own.
  shows(message) {
    return message.type === "trace" ? message.event[1] !== "closed" : ["client", "bytes"].includes(message.type);
  }

  get over() { return this.next >= this.messages.length; }

  // The present moment on the run's axis.
  get now() { return this.run.base === null ? 0 : Math.max(this.clock - this.run.base, this.run.last); }

  advance() {
    const message = this.messages[this.next++];
    this.run.take(message);
    return message;
  }

  step() {
    let message = null;
    while (!this.over && !message) {
      const taken = this.advance();
      if (this.shows(taken)) message = taken;
    }
    if (!message) return;
    this.clock = Math.max(this.clock, message.at);
    this.tell(this.run, message);
  }

  tick(seconds) {
    if (!this.playing) return;
    this.clock += seconds * this.speed;
    const gap = this.over ? 0 : this.messages[this.next].at - this.clock;
    if (gap > LONG_GAP) this.clock += gap - LONG_GAP / 4;
    let message = null;
    while (!this.over && this.messages[this.next].at <= this.clock) message = this.advance();
    if (this.over) this.playing = false;
    if (message || this.over) this.tell(this.run, message);
  }

  jump(place) {
    this.run = new Run();
    this.next = 0;
    while (this.next < Math.min(place, this.messages.length)) this.clock = this.advance().at;
    this.tell(this.run, null);
  }
}
