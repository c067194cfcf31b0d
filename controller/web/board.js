// The board page: shows each view that the table sends, and says when the table is not there.

import { chip, stack, thing } from "/things.js";

const language = document.documentElement.lang;
const number = new Intl.NumberFormat(language);
const at = (id) => document.getElementById(id);
let onTable = null; // what lay there in the view before: only what is new lands with a little jump

function element(name, classes, ...inside) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  made.append(...inside.filter((one) => one !== null && one !== ""));
  return made;
}

function setText(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text; // a live region is read out when it changes
}

const phone = matchMedia("(max-width: 760px)");

function place(made, index, count, out) {
  const angle = Math.PI / 2 + (2 * Math.PI * index) / count; // seat 1 sits in front, play goes clockwise
  made.style.left = `${50 + out * (phone.matches ? 39 : 41) * Math.cos(angle)}%`;
  made.style.top = `${49.3 + out * 41.7 * Math.sin(angle)}%`;
}

function laid(seat, seen) {
  const row = element("div", "laid");
  seat.laid.forEach((one, nth) => {
    const drawn = thing(one);
    const key = `${seat.seat}/${nth}/${one.code}`;
    const newest = nth === seat.laid.length - 1;
    seen.add(key);
    if (onTable !== null && !onTable.has(key)) drawn.classList.add("new");
    if (seat.in_trick !== null) drawn.classList.add(newest && one.code === seat.in_trick ? "in-trick" : "past");
    row.append(drawn);
  });
  row.dataset.fan = seat.laid.length > 4 ? "tight" : "wide";
  return row;
}

function plate(seat, view) {
  const counted = view.counts === "tokens" ? chip() : null;
  const chips = element("p", "chips", counted, element("b", "", number.format(seat.chips)), element("span", "unit", view.unit));
  const tags = seat.tags.map((tag, nth) => {
    const code = nth === 0 && seat.dealer ? "dealer" : seat.to_act && nth === (seat.dealer ? 1 : 0) ? "turn" : "state";
    return element("span", `tag ${code}`, tag);
  });
  const marks = seat.marks.map((mark) => element("span", "tag mark", mark));
  const made = element(
    "div", "plate",
    element("h3", "", seat.name), chips,
    tags.length + marks.length ? element("p", "tags", ...tags, ...marks) : null,
  );
  return made;
}

function showSeats(view) {
  const seen = new Set();
  const seats = view.seats.map((seat, index) => {
    const sitting = plate(seat, view), before = laid(seat, seen);
    place(sitting, index, view.seats.length, 1);
    place(before, index, view.seats.length, phone.matches ? 0.5 : 0.56);
    const made = element("li", `seat ${seat.state} ${seat.winner ? "winner" : ""}`, sitting, before);
    if (seat.to_act) made.setAttribute("aria-current", "true");
    return made;
  });
  at("seats").replaceChildren(...seats);
  at("board").dataset.size = view.seats.length > 10 ? "many" : view.seats.length > 6 ? "some" : "few";
  onTable = seen;
}

function showPot(view) {
  const pot = at("pot");
  pot.hidden = view.pot === null;
  if (pot.hidden) return;
  pot.replaceChildren(
    stack(view.pot),
    element("p", "", element("span", "", pot.dataset.word), " ", element("b", "", number.format(view.pot))),
  );
}

function showQuestion(question) {
  at("question").hidden = question === null;
  if (question === null) return;
  at("choices").replaceChildren(...question.choices.map((choice) => {
    const made = element("li", choice.chosen ? "chosen" : "", thing(choice.thing), element("span", "", choice.thing.text));
    if (choice.chosen) made.setAttribute("aria-current", "true");
    return made;
  }));
}

function showRulings(rulings) {
  const list = at("rulings");
  const shown = rulings.map((ruling) => element(
    "li", ruling.kind,
    element("span", "text", ruling.text),
    ruling.clause ? element("span", "clause", `§${ruling.clause}`) : null,
    ruling.detail ? element("small", "", ruling.detail) : null,
  ));
  list.replaceChildren(...(shown.length ? shown : [element("li", "none", list.dataset.none)]));
}

function showDevices(devices) {
  const list = at("devices");
  const broken = devices.filter((device) => !device.works);
  list.replaceChildren(...(broken.length
    ? broken.map((device) => element("li", "broken", element("b", "", device.text), element("small", "", device.why)))
    : [element("li", "fine", list.dataset.fine)]));
}

function show(view) {
  setText("game", view.game);
  setText("deal", view.deal ? `${at("deal").dataset.word} ${number.format(view.deal)} · ${view.phase}` : view.phase);
  setText("headline", view.headline);
  document.title = `${view.headline} · Gjøk`;
  showSeats(view);
  showPot(view);
  showQuestion(view.question);
  showRulings(view.rulings);
  showDevices(view.devices);
  document.body.dataset.seq = String(view.seq);
}

function link(state) {
  document.body.dataset.link = state;
  at("lost").hidden = state !== "lost";
  at("lost").textContent = state === "lost" ? document.body.dataset.disconnected : "";
}

function listen() {
  const events = new EventSource(`/events?lang=${language}`);
  events.onmessage = (message) => {
    show(JSON.parse(message.data));
    link("up");
  };
  events.onerror = () => {
    link("lost");
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 1000); // it gives up on an answer that is no stream
  };
}

listen();
