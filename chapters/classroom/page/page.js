"use strict";
// The page: commands go out, messages come in and are drawn. What the model or a client says is
// put in as text and never as markup.

const byId = (id) => document.getElementById(id);
const PACES = [["2", 2], ["5", 5], ["10", 10], ["20", 20], ["50", 50], ["full speed", null]];
const COUNTERS = [
  ["unfinished", "requests unfinished"], ["running", "running"], ["waiting", "waiting"],
  ["kv", "KV tokens held"], ["passes", "forward passes"], ["atOnce", "passes at this instant"],
  ["most", "passes at one instant, at most"], ["nobody", "passes spent on nobody"],
  ["discarded", "discarded replies"],
];
const FRAME = 40, WORDS = 500;  // milliseconds between two pictures, and between two texts

const page = {
  run: new Run(), player: null, source: null, selected: "A", menus: null, offset: 0,
  dirty: true, drawnAt: 0, wordsAt: 0, cards: new Map(),
};
const timeline = new Timeline(byId("timeline"));
const wires = new WireView(byId("request"), byId("response"));

// ---- out

async function command(name, more = {}) {
  if (page.player) backToNow();
  const headers = {"Content-Type": "application/json", "X-Classroom": "1"};
  const answer = await fetch("do", {method: "POST", headers, body: JSON.stringify({do: name, ...more})})
    .catch(() => null);
  if (!answer) return complain("The page’s own server does not answer.");
  if (!answer.ok) complain((await answer.json().catch(() => ({why: answer.statusText}))).why);
}

function complain(why) { byId("stepped").textContent = why; }

function serve(change) {
  const now = page.run.server;
  return command("serve", {
    chapter: now.wrong_of ?? now.chapter, whose: byId("whose").value, wrong: null,
    model: page.menus.models[byId("model").selectedIndex], pace: PACES[byId("pace").selectedIndex][1],
    ...change,
  });
}

// ---- in

function listen() {
  page.source = new EventSource("events");
  page.source.onmessage = ({data}) => {
    const {now, messages} = JSON.parse(data);
    page.offset = now - performance.now() / 1000;
    for (const message of messages) page.run.take(message);
    page.dirty = true;
  };
  page.source.onerror = () => {
    byId("server").textContent = "The page’s own server does not answer: start it again with `make demo`.";
  };
}

function now() {
  if (page.player) return page.player.now;
  const {run} = page;
  if (run.base === null) return 0;
  return run.idle ? run.last : Math.max(performance.now() / 1000 + page.offset - run.base, run.last);
}

function frame(time) {
  const elapsed = time - page.drawnAt;
  if (elapsed >= FRAME) {
    page.player?.tick(Math.min(elapsed, 200) / 1000);
    const moves = !page.run.idle || page.dirty || page.player?.playing;
    if (moves) draw(time);
    page.drawnAt = time;
  }
  requestAnimationFrame(frame);
}

function draw(time) {
  const {run} = page;
  timeline.draw(run, now());
  drawCounters(run);
  wires.show(run.wires.get(page.selected), run.laneOf(page.selected));
  if (page.dirty) {
    drawServer(run);
    drawCaption(run);
    drawClients(run);
  }
  page.dirty = false;
  if (time - page.wordsAt > WORDS || run.idle) drawWords(run, time);
}

// ---- the parts

function put(element, text) { if (element.textContent !== text) element.textContent = text; }

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function drawCounters(run) {
  const counts = run.counters();
  for (const [key] of COUNTERS) {
    const element = byId(`count-${key}`);
    put(element, String(counts[key]));
    element.parentElement.classList.toggle("alarm", key === "nobody" && counts[key] > 0);
  }
}

function drawServer(run) {
  const s = run.server;
  const what = s.wrong
    ? `chapter ${s.chapter}’s server, wrong on purpose: “${belief(s)}”`
    : `chapter ${s.chapter}’s server, ${s.whose === "mine" ? whoseFiles(s) : "the reference"}`;
  const said = {
    none: "No server yet.", starting: `Starting ${what} …`,
    running: `Running: ${what} · ${s.model_name} · http://localhost:${s.port}`,
    refused: s.why, ended: s.why,
  }[s.state] ?? "";
  put(byId("server"), said);
  document.body.dataset.server = s.state;
  byId("server").dataset.pid = s.pid ?? "";
  for (const button of byId("chapters").children) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.chapter) === (s.wrong_of ?? s.chapter)));
  }
  drawMenus(s);
}

function whoseFiles(s) {
  if (!s.mine?.length) return "the reference (none of your files is begun)";
  return `tasks ${s.mine.join(", ")} your own, the rest the reference`;
}

function belief(s) {
  if (page.run.demo?.wrong === s.wrong) return page.run.demo.title;
  const menu = page.menus?.chapters.find((chapter) => chapter.number === (s.wrong_of ?? s.chapter));
  const fault = menu?.faults.find((demo) => demo.wrong === s.wrong);
  const wrong = menu?.wrongs.find((other) => other.name === s.wrong);
  return fault?.title ?? wrong?.believes ?? s.wrong;
}

function drawMenus(s) {
  const chapter = s.wrong_of ?? s.chapter;
  if (!page.menus || page.drawnMenus === JSON.stringify(s)) return;
  page.drawnMenus = JSON.stringify(s);
  byId("whose").value = s.whose ?? "reference";
  byId("model").selectedIndex = page.menus.models.indexOf(s.model);
  const pace = PACES.findIndex(([, pace]) => pace === s.pace);
  byId("pace").selectedIndex = pace < 0 ? PACES.length - 1 : pace;
  byId("pace").disabled = s.model !== "scripted";
  const menu = page.menus.chapters.find(({number}) => number === chapter);
  if (page.menuOf !== chapter) {
    page.menuOf = chapter;
    byId("demos").replaceChildren(...menu.demos.map(demoButton));
    byId("faults").replaceChildren(...menu.faults.map(demoButton));
    const none = make("option", {value: "", textContent: "none: the server is right"});
    byId("wrong").replaceChildren(none, ...menu.wrongs.map((wrong) =>
      make("option", {value: wrong.name, textContent: `“${wrong.believes}”: ${wrong.title}`})));
  }
  byId("wrong").value = s.wrong ?? "";
  for (const button of document.querySelectorAll("#faults button")) {
    button.setAttribute("aria-pressed", String(button.dataset.wrong === s.wrong));
  }
}

function demoButton(demo) {
  const button = make("button", {textContent: demo.title, title: demo.watch.join(" ")});
  button.dataset.demo = demo.id;
  if (demo.wrong) button.dataset.wrong = demo.wrong;
  button.onclick = () => { select("A"); command("play", {demo: demo.id}); };
  return button;
}

function drawCaption(run) {
  const caption = byId("caption"), {server, demo} = run;
  const lines = [];
  if (["ended", "refused"].includes(server.state)) {
    lines.push(["h2", server.why], ["p", "The page lives on: “Restart”, or choose another chapter."]);
    if (server.said?.length) lines.push(["p", "The last that it said:"], ["pre", server.said.join("\n")]);
  } else if (demo) {
    lines.push(["h2", demo.wrong ? `“${demo.title}”` : demo.title], ...demo.watch.map((text) => ["p", text]));
    caption.dataset.demo = demo.id;
    caption.dataset.state = demo.state;
  } else {
    delete caption.dataset.demo;
    delete caption.dataset.state;
    lines.push(["p", "Click an experiment, or let the clients ask."],
      ["p", "curl, notebooks and your own clients appear on the time-line too."]);
  }
  const key = JSON.stringify(lines);
  if (caption.dataset.key === key) return;
  caption.dataset.key = key;
  caption.replaceChildren(...lines.map(([name, text]) => make(name, {textContent: text})));
}

function drawWords(run, time) {
  page.wordsAt = time;
  const list = byId("words");
  const texts = [loopInWords(run, now()), ...run.lanes.map((lane) => describe(lane))];
  while (list.children.length > texts.length) list.lastChild.remove();
  texts.forEach((text, i) => {
    const item = list.children[i] ?? list.appendChild(make("li"));
    put(item, text);
    item.dataset.lane = i ? run.lanes[i - 1].name : "loop";
  });
}

// ---- replay

async function replay() {
  if (page.player) return page.player.restart(), play(true);
  const messages = await (await fetch("recording")).json();
  page.source.close();
  startPlayer(messages);
  play(true);
}

function startPlayer(messages) {
  page.player = new Player(messages, (run, message) => {
    page.run = run;
    page.dirty = true;
    byId("place").max = messages.length;
    byId("place").value = page.player?.next ?? 0;
    if (message) put(byId("stepped"), `${page.player.next} of ${messages.length}: ${inWords(message, run)}`);
    put(byId("pause"), page.player?.playing ? "Pause" : "Play");
  });
  page.player.speed = Number(byId("speed").value);
  document.body.classList.add("replays");
  timeline.follow();
}

function play(on) {
  if (on && page.player.over) page.player.restart();
  page.player.playing = on;
  put(byId("pause"), on ? "Pause" : "Play");
}

function backToNow() {
  page.player = null;
  page.run = new Run();
  document.body.classList.remove("replays");
  put(byId("stepped"), "");
  listen();
}

// ---- the beginning

function pan(part) {
  timeline.pan(part, now());
  showFollows();
}

function zoom(factor) {
  timeline.zoom(factor);
  showFollows();
}

function follow() {
  timeline.follow();
  showFollows();
}

function showFollows() {
  byId("follow").setAttribute("aria-pressed", String(timeline.end === null));
  page.dirty = true;
}

const KEYS = {
  ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25), End: follow,
  Home: () => pan(-1e6), "+": () => zoom(0.5), "-": () => zoom(2),
};

function wireUp() {
  byId("counters").replaceChildren(...COUNTERS.map(([key, name]) =>
    make("div", {}, make("dt", {textContent: name}), make("dd", {id: `count-${key}`, textContent: "0"}))));
  byId("earlier").onclick = () => pan(-0.5);
  byId("later").onclick = () => pan(0.5);
  byId("wider").onclick = () => zoom(2);
  byId("closer").onclick = () => zoom(0.5);
  byId("follow").onclick = follow;
  byId("timeline").onkeydown = (event) => {
    if (!KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  };
  wireUpReplay();
  const redraw = () => { drawLegend(byId("legend")); page.dirty = true; };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("resize", redraw);
  redraw();
  requestAnimationFrame(frame);
}

function wireUpReplay() {
  byId("replay").onclick = replay;
  byId("pause").onclick = () => play(!page.player.playing);
  byId("step").onclick = () => { play(false); page.player.step(); };
  byId("speed").onchange = () => { page.player.speed = Number(byId("speed").value); };
  byId("place").oninput = () => { play(false); page.player.jump(Number(byId("place").value)); };
  byId("back").onclick = backToNow;
}

function wireUpCommands() {
  for (const id of ["kill", "clear", "more"]) byId(id).onclick = () => command(id);
  byId("restart").onclick = () => serve({wrong: page.run.server.wrong ?? null});
  for (const id of ["whose", "model", "pace"]) byId(id).onchange = () => serve({});
  byId("wrong").onchange = () => serve({wrong: byId("wrong").value || null});
  byId("send-all").onclick = () => { for (const name of page.cards.keys()) send(name); };
  byId("stop-all").onclick = () => { for (const name of page.cards.keys()) command("stop", {client: name}); };
  byId("pace").replaceChildren(...PACES.map(([name]) => make("option", {textContent: name})));
  byId("model").replaceChildren(...page.menus.models.map((model) =>
    make("option", {textContent: model ?? "embedded"})));
  byId("chapters").replaceChildren(...page.menus.chapters.map(({number, title}) => {
    const button = make("button", {title, onclick: () => serve({chapter: number})});
    button.append(make("b", {textContent: String(number)}), make("span", {textContent: title}));
    button.dataset.chapter = number;
    return button;
  }));
}

async function begin() {
  wireUp();
  const recording = byId("recording");
  if (recording) {
    document.body.classList.add("offline");
    startPlayer(JSON.parse(recording.textContent));
    return;
  }
  page.menus = await (await fetch("menus")).json();
  wireUpCommands();
  listen();
}

begin();
