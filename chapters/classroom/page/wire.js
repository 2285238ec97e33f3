"use strict";
// What one client sent and read: bytes, cut where the response's framing and its events end.
// `whole`: the response has come to its end, and was not cut off.
// A byte is a character of a string here, as the page's server sends it.

const MOST_SEGMENTS = 2000, MOST_SHOWN = 250, MOST_ANSWER = 2000;

class Wire {
  constructor(request) {
    Object.assign(this, {
      request, segments: [], first: 0, event: null, events: 0, texts: 0, answer: "", mode: "head",
      rest: "", left: 0, chunked: false, streamed: false, bytes: 0, status: "", whole: false,
    });
  }

  feed(data, time) {
    this.bytes += data.length;
    this.rest += data;
    while (this.rest && this[this.mode](time));
  }

  // Each mode takes what it can from `rest`; false if it must wait for more.
  head(time) {
    const end = this.rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const head = this.cut(end + 4);
    this.status = head.split(" ")[1];
    this.chunked = /transfer-encoding: *chunked/i.test(head);
    this.streamed = /content-type: *text\/event-stream/i.test(head);
    this.add({kind: "head", bytes: head, time});
    this.mode = this.chunked ? "size" : "body";
    if (!this.chunked) this.left = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Infinity);
    this.whole = this.left === 0 && !this.chunked;
    return true;
  }

  size(time) {
    const end = this.rest.indexOf("\r\n");
    if (end < 0) return false;
    this.left = parseInt(this.rest, 16) || 0;
    this.add({kind: "frame", bytes: this.cut(end + 2), time});
    this.ended = this.left === 0;
    this.mode = this.left ? "chunk" : "edge";
    return true;
  }

  chunk(time) {
    const data = this.cut(Math.min(this.left, this.rest.length));
    this.left -= data.length;
    this.take(data, time);
    if (!this.left) this.mode = "edge";
    return true;
  }

  edge(time) {
    if (this.rest.length < 2) return false;
    this.add({kind: "frame", bytes: this.cut(2), time});
    this.whole = this.left === 0 && this.ended;
    this.mode = "size";
    return true;
  }

  body(time) {
    this.left -= this.rest.length;
    this.whole = this.left <= 0;
    this.take(this.cut(this.rest.length), time);
    return true;
  }

  cut(length) {
    const data = this.rest.slice(0, length);
    this.rest = this.rest.slice(length);
    return data;
  }

  add(segment) {
    this.segments.push(segment);
    if (this.segments.length > MOST_SEGMENTS) { this.segments.shift(); this.first += 1; }
  }

  // Bytes of the body: cut after each empty line if they are events, else one piece.
  take(data, time) {
    while (data) {
      if (!this.event) this.event = {kind: "event", bytes: "", time, number: ++this.events, done: false};
      const event = this.event;
      if (!event.bytes) this.add(event);
      const whole = event.bytes + data;
      const end = this.streamed ? whole.search(/\n\r?\n/) : -1;
      const length = end < 0 ? whole.length : whole.indexOf("\n", end + 1) + 1;
      data = whole.slice(length);
      event.bytes = whole.slice(0, length);
      if (end >= 0) this.finish(event);
      else if (!this.streamed) this.read(event, event.bytes);
    }
  }

  finish(event) {
    event.done = true;
    this.event = null;
    this.read(event, event.bytes.replace(/^data: ?/gm, ""));
  }

  // What a body or an event says.
  read(event, data) {
    if (data.trim() === "[DONE]") return void (event.says = "the end mark, from no token");
    let said;
    try { said = JSON.parse(utf8(data)); } catch { return; }
    if (said.error) {
      event.says = "an error";
      this.answer = said.error.message ?? "";
      return;
    }
    const choice = said.choices?.[0];
    if (!choice) return void (event.says = said.usage ? "the counts, from no token" : "no text");
    const text = choice.delta?.content ?? choice.message?.content ?? choice.text ?? "";
    if (text) event.text = this.texts++;
    event.says = choice.finish_reason ? `why it ended: ${choice.finish_reason}` : "the beginning, from no token";
    event.shows = text;
    this.answer = (this.answer + text).slice(-MOST_ANSWER);
  }
}

// The bytes of a string as text.
function utf8(bytes) {
  return new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
}

// From which token an event came, in words; null while the trace has not said it yet.
function source(event, lane, streamed) {
  const ending = event.says?.startsWith("why") ? `, ${event.says}` : "";
  if (event.text === undefined) return event.says ?? (event.done ? "no text" : "not ended");
  if (!streamed) return lane ? `${lane.tokens} tokens at once${ending}` : `all at once${ending}`;
  const from = lane?.texts[event.text];
  if (!from) return null;
  return `${from.from < from.to ? `tokens ${from.from}–${from.to}` : `token ${from.to}`} “${event.shows}”${ending}`;
}

// Shows the wire of one client, with a bounded number of elements.
class WireView {
  constructor(request, response) {
    Object.assign(this, {request, response, wire: null, nodes: [], next: 0});
  }

  show(wire, lane) {
    if (wire !== this.wire) this.start(wire);
    if (!wire) return;
    const follows = this.response.scrollTop + this.response.clientHeight >= this.response.scrollHeight - 40;
    const end = wire.first + wire.segments.length;
    this.next = Math.max(this.next, wire.first, end - MOST_SHOWN);
    for (const node of this.nodes.slice(-40)) this.fill(node, lane, wire.streamed);
    for (; this.next < end; this.next++) this.append(wire.segments[this.next - wire.first], lane, wire);
    while (this.nodes.length > MOST_SHOWN) this.nodes.shift().element.remove();
    if (follows) this.response.scrollTop = this.response.scrollHeight;
  }

  start(wire) {
    Object.assign(this, {wire, nodes: [], next: 0});
    this.request.textContent = wire ? visible(wire.request) : "";
    this.response.replaceChildren();
  }

  append(segment, lane, wire) {
    const element = document.createElement("div");
    element.className = segment.kind;
    const label = document.createElement("span");
    const code = document.createElement("code");
    element.append(label, code);
    const node = {segment, element, label, code, length: -1};
    this.nodes.push(node);
    this.response.append(element);
    this.fill(node, lane, wire.streamed);
  }

  fill(node, lane, streamed) {
    const {segment} = node;
    if (segment.bytes.length !== node.length) {
      node.length = segment.bytes.length;
      node.code.textContent = visible(segment.bytes.slice(-20000));
    }
    if (segment.kind !== "event") return;
    const from = source(segment, lane, streamed) ?? "…";
    const label = `${streamed ? `event ${segment.number}` : "body"} · ${segment.time.toFixed(2)} s · ${from}`;
    if (node.label.textContent !== label) node.label.textContent = label;
    node.element.classList.toggle("whole", segment.done || !streamed);
  }
}

// Bytes as text in which line ends can be seen.
function visible(bytes) {
  return utf8(bytes).replaceAll("\r\n", "\\r\\n\r").replaceAll("\n", "\\n\n").replaceAll("\r", "\n");
}
