#include "cli/beside/live_page.h"

namespace weir::cli {

const std::string_view live_document = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>weir: live</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { background: Canvas; color: CanvasText; margin: 1.5rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; font-weight: 600; }
a { color: inherit; }
ul { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); list-style: none; padding: 0; }
li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; padding: .75rem; }
h2 { font-size: .875rem; font-weight: 400; margin: 0; }
output { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
svg { display: block; height: 4rem; width: 100%; }
figure { margin: 1rem 0; }
figcaption { min-height: 3em; }
figure svg { height: auto; max-width: 40rem; }
@media (max-width: 30rem) {
  figure svg { margin: 0 -1rem; width: calc(100% + 2rem); }
  figure .figure { font-size: 18px; }
}
table { border-spacing: 1rem 0; font-variant-numeric: tabular-nums; margin: 1rem -1rem; text-align: end; }
th { font-weight: 400; }
td:first-of-type { width: 16rem; }
td:first-of-type div { background: currentColor; height: .5rem; opacity: .6; }
polyline { fill: none; stroke: currentColor; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
</style>
<main>
<h1 id="server">weir</h1>
<p id="state" role="status">Waiting for figures.</p>
<figure id="engine" hidden><div id="drawing"></div><figcaption id="said"></figcaption></figure>
<ul id="figures"></ul>
<table id="threads" hidden>
<thead><tr><th scope="col">Worker</th><td></td><th scope="col">requests per second</th><th scope="col">under way</th></tr></thead>
<tbody></tbody>
</table>
<p><a href="/metrics">Metrics for Prometheus</a>, <a href="/status">status as JSON</a>, <a href="/config">configuration</a></p>
<noscript><p>The figures need JavaScript; /metrics and /status do not.</p></noscript>
</main>
<script src="/live.js"></script>
</html>
)html";

const std::string_view live_script = R"js("use strict";
const kept = 120; // seconds
const interval = 1000; // milliseconds

const bytes = (value) => {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1024;
  return value.toFixed(value < 10 && unit > 0 ? 1 : 0) + " " + units[unit];
};
const number = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });

// Each figure is computed from two statuses and the seconds between them.
const rate = (name) => (now, before, seconds) => Math.max(0, (now[name] - before[name]) / seconds);
const figures = [
  { title: "Requests per second", of: rate("requests"), text: number },
  { title: "Refused per second (4xx)", of: rate("requests_refused"), text: number },
  { title: "Failed per second (5xx)", of: rate("requests_failed"), text: number },
  { title: "Mean duration", of: (now, before) => {
      const count = now.requests - before.requests;
      return count > 0 ? (now.duration_us - before.duration_us) / count / 1000 : 0;
    }, text: (value) => number(value) + " ms" },
  { title: "Content sent per second", of: rate("content_bytes"), text: bytes },
  { title: "Requests under way", of: (now) => now.requests_active, text: number },
  { title: "Open connections", of: (now) => now.connections_open, text: number },
  { title: "Connections waiting in the kernel", of: (now) => now.connections_waiting || 0, text: number },
  { title: "New connections per second", of: rate("connections_opened"), text: number },
];

const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
for (const figure of figures) {
  const item = document.createElement("li");
  const title = item.appendChild(document.createElement("h2"));
  title.textContent = figure.title;
  figure.output = item.appendChild(document.createElement("output"));
  const drawing = item.appendChild(svg("svg", { viewBox: `0 0 ${kept} 100`, preserveAspectRatio: "none", "aria-hidden": "true" }));
  figure.line = drawing.appendChild(svg("polyline", {}));
  figure.values = [];
  document.getElementById("figures").append(item);
}

const show = (figure, value) => {
  figure.values.push(value);
  if (figure.values.length > kept) figure.values.shift();
  figure.output.textContent = figure.text(value);
  const most = Math.max(...figure.values) || 1;
  const from = kept - figure.values.length;
  figure.line.setAttribute("points", figure.values.map((each, i) => `${from + i},${98 - 96 * each / most}`).join(" "));
};

// The texts at the places of the drawing, and below it. null: the engine has no such figure.
const given = (value) => value === undefined ? null : number(value);
const of = (part, all) => all === undefined ? null : `${number(part)} of ${number(all)}`;
const parts = [
  { place: "waiting", of: (now) => given(now.connections_waiting), text: "waiting", said: "Waiting in the kernel" },
  { place: "open", of: (now) => given(now.connections_open), text: "open", said: "Open connections" },
  { place: "active", of: (now) => given(now.requests_active), text: "under way", said: "Requests under way" },
  { place: "queue", of: (now) => of(now.queue_length, now.queue_places), text: "", said: "Queue" },
  { place: "busy", of: (now) => of(now.workers_busy, now.queue_places && now.workers), text: "busy", said: "Busy workers" },
  { place: "processes", of: (now) => given(now.processes), text: "processes", said: "Processes" },
  { place: "loops", of: (now) => given(now.workers), text: "loops", said: "Loops" },
  { place: "delay", of: (now) => delay(now), text: "", before: "delay ", said: "Delay of a loop" },
];

// Each loop is asked once a second. A loop that does not answer is busy with something else.
const patience = 3; // seconds
let asked = null;
const delay = (now) => {
  if (now.loop_delays === undefined) return null;
  const time = performance.now();
  if (!asked || now.loop_delays !== asked.count) {
    const count = now.loop_delays - (asked ? asked.count : 0);
    const sum = now.loop_delays_us - (asked ? asked.sum : 0);
    asked = { count: now.loop_delays, sum: now.loop_delays_us, mean: Math.max(0, sum / count / 1000), time };
  }
  const silent = (time - asked.time) / 1000;
  if (silent > patience) return `> ${number(silent)} s`;
  return asked.mean < 1 ? `${number(1000 * asked.mean)} \u00b5s` : `${number(asked.mean)} ms`;
};

let drawn = "";
const draw = async (engine) => {
  const response = await fetch("/engine.svg", { cache: "no-store" });
  const drawing = document.getElementById("drawing");
  drawing.replaceChildren();
  if (response.ok) {
    const parsed = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
    parsed.documentElement.setAttribute("role", "img");
    drawing.append(document.importNode(parsed.documentElement, true));
  }
  drawn = engine;
  asked = null;
};

const label = (now) => {
  const said = [];
  for (const part of parts) {
    const place = document.querySelector(`[data-of=${part.place}]`);
    const value = place && part.of(now);
    if (!value) continue;
    place.textContent = `${part.before || ""}${value} ${part.text}`.trim();
    said.push(`${part.said}: ${value}`);
  }
  document.getElementById("said").textContent = said.join(". ") + ".";
  document.getElementById("engine").hidden = said.length === 0;
};

// A row for each thread that serves: the kernel distributes connections without regard to load.
const most_rows = 64;
const rows = (now, before, seconds) => {
  const threads = (now.threads || []).slice(0, most_rows);
  const earlier = new Map((before.threads || []).map((each) => [each.place, each.requests]));
  const rates = threads.map((each) => Math.max(0, each.requests - (earlier.get(each.place) ?? each.requests)) / seconds);
  const most = Math.max(...rates) || 1;
  const table = document.getElementById("threads");
  table.tBodies[0].replaceChildren(...threads.map((each, i) => {
    const row = document.createElement("tr");
    const head = row.appendChild(document.createElement("th"));
    head.scope = "row";
    head.textContent = i + 1;
    row.insertCell().appendChild(document.createElement("div")).style.width = `${100 * rates[i] / most}%`;
    row.insertCell().textContent = number(rates[i]);
    row.insertCell().textContent = number(each.active);
    return row;
  }));
  table.hidden = threads.length === 0;
};

let before = null;
let at = 0;
const look = async () => {
  const state = document.getElementById("state");
  try {
    const response = await fetch("/status", { cache: "no-store" });
    const now = await response.json();
    const time = performance.now();
    document.getElementById("server").textContent = `weir ${now.version}, engine ${now.engine}`;
    state.textContent = `${now.state} for ${now.uptime_seconds} s; ${now.requests} requests so far`;
    if (before && now.uptime_seconds >= before.uptime_seconds) {
      for (const figure of figures) show(figure, figure.of(now, before, (time - at) / 1000));
      rows(now, before, (time - at) / 1000);
    }
    if (now.engine !== drawn) await draw(now.engine);
    label(now);
    before = now;
    at = time;
  } catch {
    state.textContent = "The server does not answer.";
    before = null;
  }
  setTimeout(look, interval);
};
look();
)js";

}  // namespace weir::cli
