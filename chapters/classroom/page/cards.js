"use strict";
// The clients: what each may do, how it fares, and what it has read.

function drawClients(run) {
  for (const [name, client] of run.clients) {
    const card = page.cards.get(name) ?? makeCard(name);
    const wire = run.wires.get(name), lane = run.laneOf(name);
    if (wire && card.wire !== wire) showAsked(card, wire, run.server.chapter);
    card.slow.setAttribute("aria-pressed", String(client.slow));
    put(card.state, clientState(client, lane, wire));
    put(card.answer, wire?.answer.slice(-400) ?? "");
    card.answer.scrollTop = card.answer.scrollHeight;
    card.element.classList.toggle("selected", name === page.selected);
  }
  for (const [name, card] of page.cards) {
    if (!run.clients.has(name)) { card.element.remove(); page.cards.delete(name); }
  }
  put(byId("wire-of"), page.selected);
}

// The fields say what was asked, also where a demonstration asked it.
function showAsked(card, wire, chapter) {
  card.wire = wire;
  const body = wire.request.slice(wire.request.indexOf("\r\n\r\n") + 4);
  if (!body) return;
  const asked = JSON.parse(body);
  card.prompt.value = asked.messages.at(-1).content;
  card.tokens.value = asked.max_tokens;
  if (chapter >= 4) card.stream.checked = asked.stream;
}

function clientState(client, lane, wire) {
  if (client.why) return client.why;
  const status = wire?.status ? `, status ${wire.status}` : "";
  if (client.state === "idle") return "";
  if (client.state === "done") return wire?.whole ? `done${status}` : "cut off: the connection ended first";
  if (client.state !== "sent") return client.state;
  if (lane?.received == null) return "sent; not received yet";
  return wire?.bytes ? `reads${status}` : "waits";
}

function makeCard(name) {
  const small = name === "B";
  const card = {
    prompt: make("input", {value: small ? "Name a colour." : "Count from 1 to 20.", type: "text"}),
    stream: make("input", {type: "checkbox", checked: true}),
    tokens: make("input", {type: "number", value: small ? 6 : 24, min: -1, max: 4000}),
    state: make("output"), answer: make("output", {className: "answer"}),
    badge: make("button", {textContent: name, className: "badge", onclick: () => select(name)}),
  };
  const slow = () => command("slowly", {client: name, on: card.slow.getAttribute("aria-pressed") !== "true"});
  card.slow = clientButton(name, "Read slowly", slow);
  card.prompt.onkeydown = (event) => { if (event.key === "Enter") send(name); };
  const names = {prompt: "prompt", tokens: "max_tokens", state: "state", answer: "answer"};
  for (const [part, what] of Object.entries(names)) card[part].setAttribute("aria-label", `${name}: ${what}`);
  card.badge.setAttribute("aria-label", `Show the wire of ${name}`);
  card.element = layCard(name, card);
  byId("clients").append(card.element);
  page.cards.set(name, card);
  return card;
}

function clientButton(name, text, onclick) {
  const button = make("button", {textContent: text, onclick});
  button.setAttribute("aria-label", `${name}: ${text}`);
  return button;
}

function layCard(name, card) {
  const act = (text, does) => clientButton(name, text, does);
  const ask = make("span", {className: "ask live"}, card.prompt, act("Send", () => send(name)));
  const acts = make("div", {className: "acts live"},
    make("label", {}, card.stream, "stream"), make("label", {}, "max_tokens ", card.tokens),
    act("Stop", () => command("stop", {client: name})), card.slow,
    act("Vanish", () => command("vanish", {client: name})));
  const element = make("div", {className: "card"},
    make("div", {className: "ask"}, card.badge, ask), acts,
    make("div", {className: "says"}, card.state, card.answer));
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", `Client ${name}`);
  return element;
}

function send(name) {
  const card = page.cards.get(name);
  select(name);
  const stream = card.stream.checked && page.run.server.chapter >= 4;
  return command("send", {client: name, prompt: card.prompt.value, max_tokens: Number(card.tokens.value), stream});
}

function select(name) {
  page.selected = name;
  page.dirty = true;
}
