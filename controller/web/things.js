// Draws cards, Gnav pieces and chips as SVG. All drawings are our own; a thing without one shows its name.

const SUITS = {
  h: "M50 90C22 64 7 48 7 30 7 16 17 7 29 7c9 0 17 5 21 14C54 12 62 7 71 7c12 0 22 9 22 23 0 18-15 34-43 60z",
  d: "M50 4C58 20 70 36 87 50 70 64 58 80 50 96 42 80 30 64 13 50 30 36 42 20 50 4z",
  s: "M50 5c9 18 40 34 40 57 0 13-9 21-20 21-7 0-13-3-17-9 1 9 5 16 12 21H35c7-5 11-12 12-21-4 6-10 9-17 9-11 0-20-8-20-21C10 39 41 23 50 5z",
  c: "M50 6a20 20 0 0 1 15 33 20 20 0 1 1-12 30c1 11 5 19 13 26H34c8-7 12-15 13-26a20 20 0 1 1-12-30A20 20 0 0 1 50 6z",
};

const FIGURES = {
  // a cuckoo on its way, tail to the left
  "GJØK": "M8 66c8-5 17-9 26-11C38 38 50 27 64 26c4-9 14-13 22-8l10 6-11 4c2 17-7 31-23 37l-4 17h-5l2-15c-4 1-8 1-11 0l-5 15h-5l3-17c-10 0-20 0-29 1zM79 22a3 3 0 1 0 .1 0z",
  // a dragoon's crossed sabres
  "DRAGON": "M12 10c20 14 40 34 54 54l7-7 6 6-8 8 13 13-7 7-13-13-8 8-6-6 7-7C37 53 22 32 12 10zM88 10c-5 11-11 22-19 33l-8-9C70 25 79 17 88 10zM39 52l9 9-5 6 7 7-6 6-8-8-13 13-7-7 13-13-8-8 6-6 7 7z",
  // a cat's head
  "KATT": "M16 10l20 16c9-4 19-4 28 0l20-16 3 40c0 24-15 42-37 42S13 74 13 50zM34 47a6 8 0 1 0 .1 0zM66 47a6 8 0 1 0 .1 0zM50 66l-6-5h12zM45 72c2 3 8 3 10 0l-5 6z",
  // a horse's head
  "HEST": "M30 94c-2-22 12-30 10-44-7 6-14 10-24 12l-8-9c6-12 16-18 24-29l1-16 11 10c24 0 42 20 44 46 1 12 0 22-3 30zM42 32a4 4 0 1 0 .1 0z",
  // a house with its door open
  "HUS": "M50 8l42 36h-9v46H17V44H8zM42 60v30h16V60zM66 50h10v11H66zM24 50h10v11H24z",
  // a pot with two handles
  "POTTE": "M26 20h48v9h-5c15 8 21 20 20 33-1 16-10 25-19 30H30c-9-5-18-14-19-30-1-13 5-25 20-33h-5zM28 44h44v6H28z",
  // an owl's face
  "UGLE": "M14 12c12 5 24 7 36 7s24-2 36-7c2 14 4 26 4 38 0 24-16 42-40 42S10 74 10 50c0-12 2-24 4-38zM33 32a15 15 0 1 0 .1 0zM67 32a15 15 0 1 0 .1 0zM33 40a7 7 0 1 1-.1 0zM67 40a7 7 0 1 1-.1 0zM50 58l-7 7 7 12 7-12z",
  // a fool's cap with its bells
  "NARR": "M50 34c5-16 17-24 30-20 10 3 14 12 12 22l-4 1c-4-8-10-9-14-3-3 6-1 14 4 26v12H22V60c5-12 7-20 4-26-4-6-10-5-14 3l-4-1C6 26 10 17 20 14c13-4 25 4 30 20zM20 78h60v12H20zM10 38a6 6 0 1 0 .1 0zM90 38a6 6 0 1 0 .1 0z",
};

const SVG = "http://www.w3.org/2000/svg";

function draw(name, attributes, ...inside) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

function card(thing) {
  const red = thing.suit === "h" || thing.suit === "d";
  const rank = (x, y, size, anchor) =>
    draw("text", { x, y, "font-size": size, "text-anchor": anchor, class: "rank" }, thing.rank);
  const suit = (x, y, size) =>
    draw("path", { d: SUITS[thing.suit], transform: `translate(${x} ${y}) scale(${size / 100})` });
  return draw(
    "svg", { viewBox: "0 0 100 140", class: `card ${red ? "red" : "black"}` },
    draw("rect", { x: 2, y: 2, width: 96, height: 136, rx: 11, class: "face" }),
    rank(12, 44, thing.rank === "10" ? 42 : 48, "start"),
    suit(13, 52, 26),
    suit(38, 72, 54),
  );
}

function piece(thing) {
  const inside = thing.code in FIGURES
    ? draw("path", { d: FIGURES[thing.code], "fill-rule": "evenodd", transform: "translate(25 25) scale(.5)" })
    : draw("text", { x: 50, y: 50, "text-anchor": "middle", "dominant-baseline": "central",
                     "font-size": Math.min(44, 104 / Math.max(2, thing.code.length)), class: "numeral" }, thing.code);
  return draw(
    "svg", { viewBox: "0 0 100 100", class: "piece" },
    draw("circle", { cx: 50, cy: 50, r: 47, class: "disc" }),
    draw("circle", { cx: 50, cy: 50, r: 39, class: "groove" }),
    inside,
  );
}

export function thing(what) {
  const drawn = what.kind === "card" ? card(what) : piece(what);
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", what.text);
  drawn.append(draw("title", {}, what.text));
  return drawn;
}

export function chip() {
  return draw(
    "svg", { viewBox: "0 0 40 40", class: "chip", "aria-hidden": "true" },
    draw("circle", { cx: 20, cy: 20, r: 19, class: "edge" }),
    draw("circle", { cx: 20, cy: 20, r: 16, class: "stripes" }),
    draw("circle", { cx: 20, cy: 20, r: 11, class: "middle" }),
  );
}

export function stack(count) {
  const high = Math.min(count, 12);
  const chips = [];
  for (let n = 0; n < high; n += 1) {
    const column = Math.floor(n / 4), level = n % 4;
    const x = 30 + 46 * column - 23 * Math.floor((high - 1) / 4) + 46, y = 62 - 11 * level;
    chips.push(draw("path", { d: `M${x - 20} ${y}v9a20 8 0 0 0 40 0v-9z`, class: "side" }));
    chips.push(draw("ellipse", { cx: x, cy: y, rx: 20, ry: 8, class: "top" }));
    chips.push(draw("ellipse", { cx: x, cy: y, rx: 11, ry: 4, class: "well" }));
  }
  return draw("svg", { viewBox: "0 0 152 82", class: "stack", "aria-hidden": "true" }, ...chips);
}
