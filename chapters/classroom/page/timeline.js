"use strict";
// Draws a run: the event loop's lane, and a lane for each request. One canvas, so that the number
// of elements does not grow with the number of events. Shapes and hatching carry the meaning.

const LEAST_SPAN = 0.5, MOST_SPAN = 120, SPANS = [1.5, 2.2, 3, 4.5, 6, 8, 11, 16];  // seconds shown

// What each mark looks like: a function that draws it around (x, y), `s` its half size.
const MARKS = {
  sent(c, x, y, s) { ring(c, x, y, s * 0.8); },
  received(c, x, y, s) { line(c, x, y - s * 1.3, x, y + s * 1.3); },
  answered(c, x, y, s) { shape(c, [[x, y - s], [x + s, y + s], [x - s, y + s]]); },
  finished(c, x, y, s) { c.fillRect(x - s * 0.8, y - s * 0.8, s * 1.6, s * 1.6); },
  gone(c, x, y, s) { c.save(); c.fillStyle = colour("--paper"); disc(c, x, y, s * 1.1); c.restore();
    ring(c, x, y, s * 1.1); line(c, x - s * 0.8, y + s * 0.8, x + s * 0.8, y - s * 0.8); },
  "abort asked"(c, x, y, s) { line(c, x - s, y - s, x + s, y + s); line(c, x - s, y + s, x + s, y - s); },
  "abort done"(c, x, y, s) { line(c, x - s * 1.2, y, x + s * 1.2, y); line(c, x, y - s * 1.2, x, y + s * 1.2); },
  freed(c, x, y, s) { shape(c, [[x - s, y - s], [x + s, y - s], [x, y + s]]); },
  failed(c, x, y, s) { c.font = `bold ${s * 3}px sans-serif`; c.fillText("!", x - s * 0.4, y + s); },
};
const NAMES = {
  sent: "sent", received: "received", answered: "status sent", finished: "last byte",
  gone: "client gone", "abort asked": "abort asked", "abort done": "abort done", freed: "memory freed",
};
const AREAS = {
  "not received": (c, w, h) => dotted(c, 1, h / 2, w - 1, [2, 4]),
  waiting: (c, w, h) => dotted(c, 1, h / 2, w - 1, [7, 4]),
  prefill: (c, w, h) => box(c, 2, 2, w - 4, h - 4, colour("--ink")),
  "a token": (c, w, h) => box(c, 2, 2, w - 4, h - 4, colour("--soft")),
  "for nobody": (c, w, h) => box(c, 2, 2, w - 4, h - 4, hatch(c, "--ink")),
  "memory held": (c, w, h) => { c.fillStyle = colour("--memory"); c.fillRect(1, h / 2 - 2, w - 2, 5); },
};

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
function line(c, x, y, u, v) { c.beginPath(); c.moveTo(x, y); c.lineTo(u, v); c.stroke(); }
function disc(c, x, y, r) { c.beginPath(); c.arc(x, y, r, 0, 7); c.fill(); }
function ring(c, x, y, r) { c.beginPath(); c.arc(x, y, r, 0, 7); c.stroke(); }
function shape(c, points) { c.beginPath(); for (const [x, y] of points) c.lineTo(x, y); c.closePath(); c.fill(); }
function dotted(c, x, y, u, dash) { c.save(); c.setLineDash(dash); line(c, x, y, u, y); c.restore(); }
function box(c, x, y, w, h, fill) {
  c.fillStyle = fill;
  c.fillRect(x, y, w, h);
  if (w > 2) c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
}
function hatch(c, name) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const t = tile.getContext("2d");
  t.fillStyle = colour("--paper");
  t.fillRect(0, 0, 8, 8);
  t.strokeStyle = colour(name);
  t.lineWidth = 2;
  for (const d of [-8, 0, 8]) line(t, d, 8, d + 8, 0);
  return c.createPattern(tile, "repeat");
}

class Timeline {
  constructor(canvas) {
    Object.assign(this, {canvas, span: SPANS[0], chosen: false, end: null, drawn: 0});
  }

  // `end` is the right edge while the class looks at something earlier; null: it follows.
  window(now) {
    if (!this.chosen) this.span = SPANS.find((span) => span >= now * 1.4) ?? SPANS.at(-1);
    const end = this.end ?? Math.max(now + this.span * 0.03, this.span);
    return [end - this.span, end];
  }

  zoom(factor) {
    this.chosen = true;
    this.span = Math.min(Math.max(this.span * factor, LEAST_SPAN), MOST_SPAN);
  }

  pan(part, now) {
    const [, end] = this.window(now);
    const to = Math.max(end + part * this.span, this.span);
    this.end = to >= now && part > 0 ? null : to;
    this.chosen = true;
  }

  follow() { Object.assign(this, {end: null, chosen: false}); }

  draw(run, now) {
    const pen = this.pen(now);
    const {c, size, height} = pen;
    const axis = size * 1.3, bottom = height - axis;
    const room = Math.max(Math.floor(bottom / (size * 0.82)) - 1, 1);
    const lanes = run.lanes.slice(-room);
    pen.row = Math.min(bottom / (lanes.length + 1), size * 3.4);
    this.axis(pen, bottom, axis);
    this.breaks(pen, run, bottom);
    this.loop(pen, run, pen.row / 2);
    lanes.forEach((lane, number) => this.lane(pen, lane, pen.row * (number + 1.5)));
    this.drawn += 1;
  }

  // What drawing needs: the canvas, cleared; sizes; colours; where a time is.
  pen(now) {
    const {canvas} = this, ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    const [from, to] = this.window(now);
    const size = parseFloat(getComputedStyle(document.documentElement).fontSize), gutter = size * 9;
    const c = canvas.getContext("2d");
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      Object.assign(canvas, {width: width * ratio, height: height * ratio});
    }
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.lineWidth = Math.max(size / 11, 1.2);
    c.textBaseline = "middle";
    const ink = c.strokeStyle = c.fillStyle = colour("--ink");
    return {
      c, ink, size, now, from, to, width, height, gutter, row: 0,
      soft: colour("--soft"), memory: colour("--memory"), paper: colour("--paper"),
      hatch: hatch(c, "--ink"), stop: hatch(c, "--alarm"),
      x: (time) => gutter + ((time - from) / (to - from)) * (width - gutter),
      sees: (a, b) => b >= from && a <= to,
    };
  }

  axis({c, x, from, to, size, width, gutter}, y, height) {
    const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
    const step = steps.find((s) => ((width - gutter) * s) / (to - from) > size * 4) ?? 30;
    c.font = `${size * 0.8}px sans-serif`;
    line(c, gutter, y, width, y);
    for (let t = Math.max(Math.ceil(from / step), 0) * step; t < to; t += step) {
      line(c, x(t), y, x(t), y + 5);
      c.fillText(`${+t.toFixed(1)} s`, x(t) + 4, y + height * 0.6);
    }
  }

  breaks({c, x, sees, size, gutter}, run, bottom) {
    c.font = `${size * 0.7}px sans-serif`;
    for (const pause of run.breaks) {
      if (!sees(pause.at, pause.at) || x(pause.at) < gutter) continue;
      c.save();
      c.globalAlpha = 0.6;
      c.setLineDash([1, 5]);
      line(c, x(pause.at), 0, x(pause.at), bottom);
      c.restore();
      c.fillText(`⫽ ${Math.round(pause.seconds)} s`, x(pause.at) + 3, bottom - size * 0.5);
    }
  }

  name(pen, text, small, y, bold) {
    const {c, size, row, gutter, ink} = pen;
    c.fillStyle = ink;
    const font = Math.min(size, row * 0.85);
    c.font = `${bold ? "bold " : ""}${font}px sans-serif`;
    c.fillText(text, 4, y, gutter - 8);
    const taken = c.measureText(text).width;
    c.font = `${font * 0.8}px sans-serif`;
    if (small) c.fillText(small, 10 + taken, y, Math.max(gutter - taken - 16, 10));
  }

  loop(pen, run, y) {
    const {c, x, sees, gutter, row, size, now, stop, ink} = pen;
    this.name(pen, run.blocked ? "loop BLOCKED" : "event loop", "", y, Boolean(run.blocked));
    if (run.base === null) return;
    c.strokeStyle = ink;
    line(c, Math.max(x(0), gutter), y, Math.max(x(now), gutter), y);
    for (const {from, to} of run.blocks) {
      const end = to ?? now;
      if (!sees(from, end)) continue;
      const left = Math.max(x(from), gutter), wide = Math.max(x(end) - left, 2);
      box(c, left, y - row * 0.34, wide, row * 0.68, stop);
      this.tag(pen, `blocked ${(end - from).toFixed(1)} s`, left, wide, y);
    }
  }

  // A label on a hatched area, where there is room.
  tag({c, size, row, ink}, text, left, wide, y) {
    const font = Math.min(size * 0.9, row * 0.5);
    c.font = `bold ${font}px sans-serif`;
    const needs = c.measureText(text).width;
    if (needs + 12 > wide) return;
    c.fillStyle = colour("--paper");
    c.fillRect(left + 5, y - font * 0.65, needs + 8, font * 1.3);
    c.fillStyle = ink;
    c.fillText(text, left + 9, y);
  }

  lane(pen, lane, y) {
    const {c, ink, gutter, width, now} = pen;
    this.name(pen, lane.name, this.state(lane), y, true);
    c.save();
    c.beginPath();
    c.rect(gutter, 0, width - gutter, 1e5);
    c.clip();
    c.strokeStyle = ink;
    const stop = lane.lost ?? now, end = lane.finished ?? lane.failed ?? lane.gone ?? stop;
    const began = lane.began ?? (lane.over ? end : stop);
    this.stretch(pen, lane.sent, lane.received ?? lane.gone ?? stop, y, [2, 4]);
    if (lane.received !== null) {
      const computed = lane.freed ?? lane.passes.at(-1)?.to ?? 0, last = Math.max(end, computed);
      this.stretch(pen, lane.received, Math.max(Math.min(began, last), lane.received), y, [7, 4]);
      if (lane.began !== null) this.stretch(pen, began, last, y, []);
    }
    this.memory(pen, lane, y);
    this.passes(pen, lane, y);
    this.marks(pen, lane, y);
    this.summary(pen, lane, Math.max(end, lane.freed ?? 0, lane.passes.at(-1)?.to ?? 0), y);
    c.restore();
  }

  // What became of a request, in words behind its end, where there is room.
  summary({c, x, row, size, ink, width}, lane, end, y) {
    const said = outcome(lane);
    const font = Math.min(size * 0.95, row * 0.6);
    c.font = `bold ${font}px sans-serif`;
    c.fillStyle = ink;
    const left = x(end) + size * 1.1;
    if (said && left + c.measureText(said).width < width) c.fillText(said, left, y);
  }

  state(lane) {
    if (lane.lost !== null) return "lost";
    if (lane.method === "GET" && lane.received === null) return `${lane.path}, not received`;
    if (lane.method === "GET") return lane.path + (lane.answered ? ` ${lane.answered.status}` : "");
    if (lane.gone !== null) return lane.workOver ? "gone" : "gone, computed on";
    if (lane.finished !== null) return lane.answered ? String(lane.answered.status) : "done";
    if (lane.failed !== null) return "failed";
    if (lane.received === null) return "not received";
    return lane.waits ? "waits" : lane.tokens === 1 ? "1 token" : `${lane.tokens} tokens`;
  }

  stretch({c, x, sees}, from, to, y, dash) {
    if (from === null || to === null || !sees(from, to)) return;
    c.save();
    c.setLineDash(dash);
    line(c, x(from), y, x(to), y);
    c.restore();
  }

  memory({c, x, sees, row, memory, now}, lane, y) {
    if (lane.began === null) return;
    const end = lane.freed ?? lane.lost ?? now;
    if (!sees(lane.began, end)) return;
    c.fillStyle = memory;
    c.fillRect(x(lane.began), y + row * 0.34, Math.max(x(end) - x(lane.began), 1), Math.max(row * 0.1, 2));
  }

  passes(pen, lane, y) {
    const {c, x, from, to, row, size} = pen;
    const all = lane.pass ? [...lane.passes, lane.pass] : lane.passes;
    const font = Math.min(size * 1.1, row * 0.5);
    c.font = `${font}px ui-monospace, monospace`;
    let last = -1;
    for (let i = firstFrom(all, from); i < all.length && all[i].from <= to; i++) {
      const left = x(all[i].from), end = x(all[i].to ?? pen.now);
      if (end - last < 1) continue;  // less than a pixel more than what is drawn
      last = end;
      this.onePass(pen, all[i], left, end - left, y, font);
    }
    c.lineWidth = Math.max(size / 11, 1.2);
  }

  onePass(pen, pass, left, wide, y, font) {
    const {c, row, ink, soft, paper, hatch} = pen;
    c.lineWidth = wide > 6 ? 1.2 : 0.5;
    const fill = pass.nobody ? hatch : pass.kind === "prefill" ? ink : soft;
    box(c, left, y - row * 0.3, Math.max(wide, 1.5), row * 0.58, fill);
    const text = pass.text.replaceAll("\n", "↵");
    if (!text.trim() || wide < font || c.measureText(text).width > wide - 4) return;
    if (pass.nobody) return this.tag(pen, text, left, wide, y);
    c.fillStyle = pass.kind === "prefill" ? paper : ink;
    c.fillText(text, left + 3, y);
  }

  marks(pen, lane, y) {
    const {c, x, sees, row, ink, size} = pen;
    const s = Math.min(row * 0.24, size * 0.42);
    c.fillStyle = c.strokeStyle = ink;
    this.replies(pen, lane.delivered, (at) => line(c, at, y - row * 0.46, at, y - row * 0.32));
    this.replies(pen, lane.discarded, (at) => MARKS["abort asked"](c, at, y - row * 0.4, s * 0.45));
    const moments = [
      ["sent", lane.sent, 0], ["received", lane.received, 0], ["answered", lane.answered?.at, 0.22],
      ["finished", lane.finished, 0], ["failed", lane.failed, 0], ["freed", lane.freed, 0.3],
      ["gone", lane.gone, 0], ["abort asked", lane.abortAsked, -0.36],
      ["abort done", lane.abortDone, -0.36],
    ];
    for (const [kind, time, place] of moments) {
      if (time == null || !sees(time, time)) continue;
      c.fillStyle = c.strokeStyle = ink;
      MARKS[kind](c, x(time), y + row * place, s);
    }
  }

  replies({x, sees}, times, mark) {
    let last = -9;
    for (const time of times) {
      if (!sees(time, time) || x(time) - last < 3) continue;
      last = x(time);
      mark(last);
    }
  }
}

// The number of the first pass that ends at this time or later.
function firstFrom(passes, time) {
  let low = 0, high = passes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((passes[middle].to ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The legend: each area and mark as it is drawn, with its name.
function drawLegend(element) {
  const entries = [
    ...Object.entries(AREAS).map(([name, draw]) => [name, 16, draw]),
    ["delivered", 8, (c, w, h) => line(c, w / 2, 2, w / 2, h / 2)],
    ["discarded", 9, (c, w, h) => MARKS["abort asked"](c, w / 2, h / 2, 3)],
    ...Object.entries(NAMES).map(([kind, name]) => [name, 15, (c, w, h) => MARKS[kind](c, w / 2, h / 2, 5)]),
  ];
  element.replaceChildren(...entries.map(([name, width, draw]) => {
    const item = document.createElement("span"), canvas = document.createElement("canvas");
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = 16 * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = "16px";
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.strokeStyle = c.fillStyle = colour("--ink");
    c.lineWidth = 1.5;
    draw(c, width, 16);
    item.append(canvas, name);
    return item;
  }));
}
