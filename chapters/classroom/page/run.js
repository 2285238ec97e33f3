"use strict";
// A run, out of its messages: who asked, what was computed for whom, what waits, what is lost.
// Knows nothing of the page. Times in it are seconds since the run's first request, with long
// pauses in which nothing happened taken out.

const MOST_LANES = 60;      // requests that are remembered
const MOST_PASSES = 4000;   // of one request
const MOST_BLOCKS = 500;
const LONG_PAUSE = 1.5, SHORT_PAUSE = 0.7;  // seconds

class Lane {
  constructor(name, client) {
    Object.assign(this, {
      name, client, method: "POST", path: "", sent: null, received: null, admitted: null,
      submitted: false, passes: [], dropped: 0, pass: null, made: 0, nobody: 0, prompt: 0, kv: 0,
      began: null, freed: null, delivered: [], discarded: [], texts: [],
      replies: 0, lastText: 0, answered: null, finished: null, failed: null, abortAsked: null,
      abortDone: null, gone: null, how: "", closed: null, lost: null,
    });
  }
  get clientOver() { return this.finished !== null || this.failed !== null || this.gone !== null; }
  get workOver() {
    if (this.freed !== null) return true;
    const last = this.pass ?? this.passes.at(-1);
    if (this.abortDone !== null) return !(last && last.from > this.abortDone);
    return this.began === null && (this.finished !== null || this.failed !== null || !this.submitted);
  }
  get over() { return this.lost !== null || (this.clientOver && this.workOver); }
  get waits() {
    return !this.over && this.method === "POST" && this.received !== null &&
      this.admitted === null && this.began === null;
  }
  get runs() { return this.lost === null && !this.workOver && (this.admitted ?? this.began) !== null; }
  get tokens() { return this.passes.length + this.dropped; }
}

class Run {
  constructor() { this.reset({}); }

  reset(known) {
    Object.assign(this, {
      number: known.run ?? 0, server: known.server ?? {state: "none"}, clients: new Map(), lanes: [], byPort: new Map(),
      byLane: new Map(), byUid: new Map(), names: new Map(), blocks: [], blocked: null,
      breaks: [], base: null, last: 0, passes: 0, atOnce: 0, most: 0, mostUnfinished: 0,
      discarded: 0, demo: null, wires: new Map(), count: 0,
    });
    for (const client of known.clients ?? []) this.clients.set(client.name, client);
  }

  take(message) {
    this.count += 1;
    const act = {begin: "reset", server: "serve", client: "hearClient", bytes: "hearBytes",
                 demo: "hearDemo", trace: "hearTrace"}[message.type];
    if (act) this[act](message);
    this.mostUnfinished = Math.max(this.mostUnfinished, this.counters().unfinished);
  }

  // The time of a message on the axis. `opens`: it begins something, so a pause may end here.
  time(at, opens = false) {
    if (this.base === null) this.base = at - 0.1;
    const pause = at - this.base - this.last;
    if (opens && pause > LONG_PAUSE && this.idle) {
      this.breaks.push({at: this.last + SHORT_PAUSE / 2, seconds: pause});
      this.base += pause - SHORT_PAUSE;
    }
    const time = at - this.base;
    this.last = Math.max(this.last, time);
    return time;
  }

  get idle() { return this.blocked === null && this.lanes.every((lane) => lane.over); }

  counters() {
    let unfinished = 0, running = 0, waiting = 0, kv = 0, nobody = 0;
    for (const lane of this.lanes) {
      unfinished += lane.received !== null && lane.method === "POST" && !lane.clientOver && lane.lost === null;
      running += lane.runs;
      waiting += lane.waits;
      kv += lane.lost === null ? lane.kv : 0;
      nobody += lane.nobody;
    }
    return {unfinished, running, waiting, kv, passes: this.passes, atOnce: this.atOnce,
            most: this.most, nobody, discarded: this.discarded};
  }

  serve(message) {
    this.server = message;
    if (message.state !== "ended") return;
    const at = this.base === null ? 0 : message.at - this.base;
    this.last = Math.max(this.last, at);
    for (const lane of this.lanes) if (!lane.over) lane.lost = at;
    if (this.blocked) { this.blocked.to = at; this.blocked = null; }
    this.atOnce = 0;
  }

  hearDemo(message) { this.demo = message; }

  hearClient(message) {
    this.clients.set(message.name, message);
    if (message.state === "sent" && !this.byPort.has(message.port)) {
      const time = this.time(message.at, true);
      const lane = this.open(message.name, message.name);
      lane.sent = time;
      this.byPort.set(message.port, lane);
    } else if (["stopped", "vanished", "broken"].includes(message.state)) {
      const lane = this.byPort.get(message.port);
      if (lane) this.leave(lane, this.time(message.at), message.state);
    }
  }

  hearBytes(message) {
    if (message.out) {
      this.wires.set(message.name, new Wire(message.data));
      const lane = this.laneOf(message.name);
      if (lane) [lane.method, lane.path] = message.data.split(" ", 2);
    } else this.wires.get(message.name)?.feed(message.data, message.at - (this.base ?? message.at));
  }

  open(name, client) {
    const number = (this.names.get(name) ?? 0) + 1;
    this.names.set(name, number);
    const lane = new Lane(number > 1 ? `${name}·${number}` : name, client);
    this.lanes.push(lane);
    if (this.lanes.length > MOST_LANES) this.forget();
    return lane;
  }

  forget() {
    const old = this.lanes.findIndex((lane) => lane.over);
    const [lane] = this.lanes.splice(Math.max(old, 0), 1);
    for (const table of [this.byPort, this.byLane, this.byUid]) {
      for (const [key, value] of table) if (value === lane) table.delete(key);
    }
  }

  leave(lane, time, how) {
    if (lane.gone !== null || lane.finished !== null) return;
    lane.gone = time;
    lane.how = how;
    for (const pass of lane.passes) this.judge(lane, pass);
    if (lane.pass) this.judge(lane, lane.pass);
  }

  // Whether a pass is made for nobody: it began when its client had left.
  judge(lane, pass) {
    if (pass.nobody || lane.gone === null || pass.from <= lane.gone) return;
    pass.nobody = true;
    lane.nobody += 1;
  }

  hearTrace(message) {
    const [at, kind, uid, laneId, data] = message.event;
    const time = this.time(at, kind === "received" || kind === "loop blocked");
    if (kind === "loop blocked") return this.block(time);
    if (kind === "loop free") return this.free(time);
    if (kind === "closed") return this.close(data.client, time);
    if (kind === "received") return this.receive(laneId, data, time);
    if (laneId && uid !== laneId && this.byLane.has(laneId)) this.byUid.set(uid, this.byLane.get(laneId));
    const lane = this.byUid.get(uid) ?? this.byLane.get(laneId);
    if (kind === "discarded") this.discarded += 1;
    if (lane) this.happen(lane, kind, time, data);
  }

  block(time) {
    this.blocked = {from: time, to: null};
    this.blocks.push(this.blocked);
    if (this.blocks.length > MOST_BLOCKS) this.blocks.shift();
  }

  free(time) {
    if (this.blocked) this.blocked.to = time;
    this.blocked = null;
  }

  close(port, time) {
    const lane = this.byPort.get(port);
    if (!lane) return;
    lane.closed = time;
    if (lane.finished === null && lane.failed === null) this.leave(lane, time, "closed");
  }

  receive(laneId, data, time) {
    let lane = this.byPort.get(data.client);
    if (!lane || lane.received !== null) {
      lane = this.open((data.agent || "somebody").split(/[/ ]/)[0].slice(0, 16), null);
      this.byPort.set(data.client, lane);
    }
    Object.assign(lane, {received: time, method: data.method, path: data.path, id: laneId});
    this.byLane.set(laneId, lane);
  }

  happen(lane, kind, time, data) {
    if (kind === "submitted") lane.submitted = true;
    else if (kind === "admitted") lane.admitted = time;
    else if (kind === "prefill" || kind === "decode") this.beginPass(lane, kind, time, data);
    else if (kind === "token") this.endPass(lane, time, data.text ?? "");
    else if (kind === "kv freed") this.release(lane, time);
    else if (kind === "delivered") this.deliver(lane, time, data.text ?? "");
    else if (kind === "discarded") lane.discarded.push(time);
    else if (kind === "abort asked") { lane.abortAsked = time; this.leave(lane, time, "let go"); }
    else if (kind === "abort done") lane.abortDone = time;
    else if (kind === "answered") lane.answered = {at: time, status: data.status};
    else if (kind === "finished") lane.finished ??= time;
    else if (kind === "failed") { lane.failed = time; lane.error = data.error; }
  }

  beginPass(lane, kind, time, data) {
    lane.pass = {from: time, to: null, kind, text: "", nobody: false};
    lane.kv = kind === "prefill" ? data.tokens : lane.kv + 1;
    if (kind === "prefill") { lane.began = time; lane.prompt = data.tokens; }
    this.judge(lane, lane.pass);
    this.passes += 1;
    this.atOnce += 1;
    this.most = Math.max(this.most, this.atOnce);
  }

  endPass(lane, time, text) {
    if (!lane.pass) return;
    lane.pass.to = time;
    lane.pass.text = text;
    lane.passes.push(lane.pass);
    if (lane.passes.length > MOST_PASSES) { lane.passes.shift(); lane.dropped += 1; }
    lane.pass = null;
    this.atOnce -= 1;
  }

  release(lane, time) {
    this.endPass(lane, time, "");
    lane.freed = time;
    lane.kv = 0;
  }

  // `texts` says of each text that was delivered from which tokens it came.
  deliver(lane, time, text) {
    lane.delivered.push(time);
    lane.replies += 1;
    if (!text) return;
    lane.texts.push({from: lane.lastText + 1, to: lane.replies});
    lane.lastText = lane.replies;
  }

  laneOf(client) {
    for (let i = this.lanes.length - 1; i >= 0; i--) if (this.lanes[i].client === client) return this.lanes[i];
    return null;
  }
}

// A lane in words, for those who cannot see the picture, and for tests.
function describe(lane) {
  const at = (time) => `${time.toFixed(2)} s`;
  const said = [`${lane.name}${lane.method === "GET" ? ` ${lane.path}` : ""}:`];
  if (lane.sent !== null) said.push(`sent ${at(lane.sent)},`);
  if (lane.received === null) said.push(lane.lost === null ? "not yet received," : "never received,");
  else said.push(`received ${at(lane.received)},`);
  if (lane.waits) said.push("waiting,");
  if (lane.began !== null) said.push(`prefill of ${lane.prompt} tokens ${at(lane.began)}, ${lane.tokens} tokens,`);
  if (lane.delivered.length) said.push(`${lane.delivered.length} delivered,`);
  if (lane.discarded.length) said.push(`${lane.discarded.length} discarded,`);
  if (lane.answered) said.push(`status ${lane.answered.status},`);
  if (lane.gone !== null) said.push(`client gone ${at(lane.gone)} (${lane.how}),`);
  if (lane.nobody) said.push(`${lane.nobody} passes for nobody,`);
  if (lane.abortAsked !== null) said.push(`abort asked ${at(lane.abortAsked)},`);
  if (lane.abortDone !== null) said.push(`abort done ${at(lane.abortDone)},`);
  if (lane.failed !== null) said.push(`failed: ${lane.error},`);
  if (lane.finished !== null) said.push(`finished ${at(lane.finished)},`);
  if (lane.freed !== null) said.push(`memory freed ${at(lane.freed)},`);
  else if (lane.began !== null) said.push("memory held,");
  if (lane.lost !== null) said.push("lost when the server ended,");
  return said.join(" ").replace(/,$/, ".");
}

// The event loop's lane in words.
function loopInWords(run, now) {
  const blocked = run.blocks.map((block) => (block.to ?? now) - block.from);
  if (!blocked.length) return "event loop: never blocked.";
  const all = blocked.reduce((a, b) => a + b, 0).toFixed(1), most = Math.max(...blocked).toFixed(1);
  const times = `event loop: blocked ${blocked.length} times, ${all} s in all, the longest ${most} s`;
  return `${times}${run.blocked ? "; blocked now" : ""}.`;
}

// What became of a request, in a few words; "" while nothing has.
function outcome(lane) {
  const began = lane.sent ?? lane.received;
  if (lane.lost !== null) return "lost with the server";
  if (lane.gone !== null) {
    const passes = lane.nobody === 1 ? "1 pass for nobody" : `${lane.nobody} passes for nobody`;
    if (lane.began === null) return lane.workOver ? "left before it was computed" : "";
    if (lane.freed === null) return lane.workOver ? `${passes}, memory still held` : passes;
    return `${passes}, memory freed ${(lane.freed - lane.gone).toFixed(2)} s after it left`;
  }
  if (lane.finished === null) return "";
  return `${lane.answered ? lane.answered.status : "answered"} after ${(lane.finished - began).toFixed(1)} s`;
}

// One event of the trace in words, for stepping.
function inWords(message, run) {
  if (message.type === "trace") {
    const [, kind, uid, laneId, data] = message.event;
    const lane = run.byUid.get(uid) ?? run.byLane.get(laneId) ?? run.byPort.get(data.client);
    const text = kind === "token" ? ` “${data.text ?? ""}”` : "";
    return `${lane ? `${lane.name}: ` : ""}${kind}${text}`;
  }
  if (message.type === "bytes") return `${message.name}: ${message.data.length} bytes ${message.out ? "sent" : "read"}`;
  if (message.type === "client") return `${message.name}: ${message.state}`;
  return `${message.type} ${message.state ?? ""}`;
}
