#pragma once

#include <string_view>

namespace weir::site {

inline constexpr std::string_view listing_style = R"(
:root { --text: #1c2b33; --dim: #5a6b75; --line: #d9e1e6; --hover: #eef4f7; --link: #0a5c8a; --page: #fff; }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) { --text: #dbe5ea; --dim: #93a4ae; --line: #2c3a43; --hover: #1d2a32; --link: #6cc1f0; --page: #121a1f; }
}
:root[data-theme=dark] { --text: #dbe5ea; --dim: #93a4ae; --line: #2c3a43; --hover: #1d2a32; --link: #6cc1f0; --page: #121a1f; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { font-weight: 600; overflow-wrap: anywhere; }
h1 { margin: .25rem 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin-top: 2.5rem; font-size: 1.1rem; }
.trail { color: var(--dim); overflow-wrap: anywhere; }
.summary { margin: .25rem 0; }
.tools, .pages, .filter, .search, .views { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
.tools { justify-content: space-between; margin: 1rem 0; }
.filter { flex: 1 1 16rem; }
.search { margin: 1rem 0 0; }
.filter, .search, .pages, .orders { color: var(--dim); }
.pages { margin: 1rem 0; }
.pages a, .views a, .orders a { padding: .15rem .5rem; border: 1px solid var(--line); border-radius: 4px; }
[aria-current] { font-weight: 600; background: var(--hover); }
input { flex: 0 1 16rem; min-width: 0; padding: .3rem .5rem; border: 1px solid var(--dim); border-radius: 4px;
  background: var(--page); color: var(--text); font: inherit; }
::placeholder { color: var(--dim); opacity: 1; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .85rem; font-weight: 600; color: var(--dim); }
th a { display: inline-block; padding: .15rem 0; color: inherit; }
[aria-sort=ascending] a::after { content: " \2191" / ""; }
[aria-sort=descending] a::after { content: " \2193" / ""; }
th, td { padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
td:first-child { overflow-wrap: anywhere; }
td:first-child a { display: flex; gap: .6rem; }
bdi { white-space: break-spaces; }
.icon { flex: none; width: 1.25rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 1.5;
  stroke-linejoin: round; }
.number { width: 1%; padding-left: 2rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.number, p { color: var(--dim); }
tbody tr:hover, tbody tr:focus-within { background: var(--hover); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; margin: 1rem 0; padding: 0;
  list-style: none; }
.grid li { min-width: 0; overflow-wrap: anywhere; color: var(--dim); }
.grid a { display: block; }
.grid img, .grid .icon { display: block; box-sizing: border-box; width: 100%; height: 8rem; margin-bottom: .25rem;
  border: 1px solid var(--line); border-radius: 4px; background: var(--hover); object-fit: contain; stroke-width: .75; }
.grid .icon { padding: 2rem; }
a { color: var(--link); text-decoration: none; }
h1 a { color: inherit; }
a:hover { text-decoration: underline; }
p:not(.orders) a, .trail a { text-decoration: underline; text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace; }
.markdown { overflow-wrap: anywhere; }
.markdown h1, .markdown h2, .markdown h3, .markdown h4, .markdown h5, .markdown h6 { margin: 1.75rem 0 .5rem; line-height: 1.25; }
.markdown p { color: inherit; }
.markdown :is(p, li, td, th) a { display: inline; text-decoration: underline; text-underline-offset: .2em; }
.markdown table { width: auto; margin: 1rem 0; }
.markdown th { font-size: inherit; color: inherit; }
.markdown [align=center] { text-align: center; }
.markdown [align=right] { text-align: right; }
.markdown img { max-width: 100%; }
.markdown code { padding: .1rem .25rem; border-radius: 4px; background: var(--hover); font: .9em ui-monospace, monospace; }
.markdown pre code { padding: 0; background: none; font: inherit; }
.markdown blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
.markdown hr { border: 0; border-top: 1px solid var(--line); }
@media (max-width: 36rem) {
  body { padding: 1rem .75rem; }
  th, td { padding: .35rem .25rem; }
  .number { padding-left: .4rem; font-size: .8rem; }
  #zone { display: none; }
  .grid { grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); gap: .75rem; }
}
)";

/// Shows times in the browser's time zone, filters the entries as the user types, and moves from
/// entry to entry by the arrow keys. The page works without the script.
inline constexpr std::string_view listing_script = R"(
'use strict';
const digits = (number, count = 2) => String(number).padStart(count, '0');
for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime);
  if (isNaN(at)) continue;
  time.title = time.textContent + ' UTC';
  time.textContent = `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1)}-${digits(at.getDate())} ` +
    `${digits(at.getHours())}:${digits(at.getMinutes())}`;
}
for (const zone of document.querySelectorAll('#zone')) zone.hidden = true;

const filter = document.getElementById('filter'), shown = document.getElementById('shown');
const entries = [...document.querySelectorAll('tbody tr, .grid li')].filter((entry) => !entry.closest('.markdown'));
const named = entries.filter((entry) => !entry.matches('.up')).map((entry) => [entry, entry.querySelector('a').textContent.toLowerCase()]);
const apply = () => {
  const wanted = filter.value.trim().toLowerCase();
  let count = 0;
  for (const [entry, name] of named) {
    entry.hidden = !name.includes(wanted);
    if (!entry.hidden) ++count;
  }
  shown.textContent = wanted ? `${count} of ${named.length} shown` : '';
};
if (filter) {
  filter.addEventListener('input', apply);
  filter.closest('.filter').hidden = false;
  apply();
}

const steps = { ArrowDown: 1, ArrowUp: -1 };
if (document.querySelector('.grid')) Object.assign(steps, { ArrowRight: 1, ArrowLeft: -1 });
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isTyped = event.target === filter;
  if (event.key === '/' && filter && !event.target.matches('input')) {
    event.preventDefault();
    filter.focus();
  }
  if (event.key === 'Escape' && isTyped) {
    filter.value = '';
    apply();
  }
  const links = entries.filter((entry) => !entry.hidden).map((entry) => entry.querySelector('a'));
  const at = links.indexOf(document.activeElement), step = steps[event.key];
  if (!step || (at < 0 && !(isTyped && event.key === 'ArrowDown'))) return;
  event.preventDefault();
  (links[at + step] ?? (step < 0 && filter ? filter : links[at]))?.focus();
});
)";

/// The icons of the entries, drawn once.
inline constexpr std::string_view listing_icons = R"(<svg hidden>
<symbol id="folder" viewBox="0 0 24 24"><path d="M3 6a1 1 0 0 1 1-1h5l2 2.5h9a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z"/></symbol>
<symbol id="file" viewBox="0 0 24 24"><path d="M6 3h8l4 4v14H6zM14 3v4h4"/></symbol>
<symbol id="text" viewBox="0 0 24 24"><path d="M6 3h8l4 4v14H6zM14 3v4h4M9 11h6M9 14h6M9 17h4"/></symbol>
<symbol id="image" viewBox="0 0 24 24"><path d="M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 16"/><circle cx="15.5" cy="9" r="1.2"/></symbol>
<symbol id="audio" viewBox="0 0 24 24"><path d="M9 17V6l10-2v11"/><circle cx="6.5" cy="17" r="2.5"/><circle cx="16.5" cy="15" r="2.5"/></symbol>
<symbol id="video" viewBox="0 0 24 24"><path d="M4 5h16v14H4zM10 9v6l5-3z"/></symbol>
<symbol id="archive" viewBox="0 0 24 24"><path d="M4 8h16v12H4zM3 4h18v4H3zM10 12h4"/></symbol>
</svg>
)";

inline constexpr std::string_view upload_form_style = R"(
#uploads { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin: 1rem 0; padding: 1rem;
  border: 1px dashed var(--dim); border-radius: 4px; color: var(--dim); }
#uploads.over { border-style: solid; background: var(--hover); }
#uploads button { padding: .3rem .75rem; border: 1px solid var(--dim); border-radius: 4px; background: var(--hover);
  color: var(--text); font: inherit; cursor: pointer; }
#uploads progress { flex: 1 1 10rem; }
#uploads output { flex: 1 0 100%; overflow-wrap: anywhere; white-space: pre-line; }
#uploads output:empty { display: none; }
)";

/// Sends the files that the user chose, or dropped anywhere on the page. Shows the progress, and
/// the files that were refused. Each file has a request of its own, so that the refusal of one does
/// not end the others. An empty form goes first: if the server demands a password, the browser asks
/// the user before it sends a long file. The form works without the script.
inline constexpr std::string_view upload_form_script = R"(
'use strict';
{
  const form = document.getElementById('uploads'), files = document.getElementById('files');
  const bar = form.querySelector('progress'), said = form.querySelector('output'), button = form.querySelector('button');
  const problemsIn = (request) => {
    try {
      return JSON.parse(request.responseText).files.filter((file) => file.error).map((file) => file.error);
    } catch {
      return request.status < 300 ? [] : [`${request.status} ${request.statusText}`];
    }
  };
  const send = (data, progress) => new Promise((done) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = (event) => progress(event.loaded);
    request.onerror = () => done(['it could not be sent']);
    request.onload = () => done(problemsIn(request));
    request.open('POST', location.pathname);
    request.setRequestHeader('Accept', 'application/json');
    request.send(data);
  });
  const show = (text) => { said.textContent = text; };
  const sendEach = async (chosen) => {
    const total = chosen.reduce((sum, file) => sum + file.size, 0);
    let sent = 0;
    const problems = [];
    for (const file of chosen) {
      show(`Uploading ${file.name}`);
      const data = new FormData();
      data.append('file', file);
      const found = await send(data, (loaded) => { bar.value = total && (sent + Math.min(loaded, file.size)) / total; });
      for (const problem of found) problems.push(`${file.name}: ${problem}.`);
      sent += file.size;
    }
    return problems;
  };
  const upload = async (chosen) => {
    if (!chosen.length || button.disabled) return;
    button.disabled = true;
    bar.value = 0;
    bar.hidden = false;
    const refused = await send(new FormData(), () => {});
    const problems = refused.length ? refused.map((why) => `Nothing was taken: ${why}`) : await sendEach(chosen);
    bar.hidden = true;
    button.disabled = false;
    if (problems.length) show(problems.join('\n'));
    else location.reload();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    upload([...files.files]);
  });
  const hasFiles = (event) => event.dataTransfer && event.dataTransfer.types.includes('Files');
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) form.classList.remove('over'); });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.remove('over');
    upload([...event.dataTransfer.files]);
  });
}
)";

/// Allows exactly the style and the script of listings, by their SHA-256; a test compares the
/// hashes. If a name got past the escaping, it still could not run as a script.
inline constexpr std::string_view listing_policy =
    "default-src 'none'; img-src 'self'; base-uri 'none'; form-action 'self'; "
    "style-src 'sha256-HnhRJAw9E5gSPm/0PnHTHgMjbcLOc4YYwmxsFx1q/uQ='; "
    "script-src 'sha256-6MV+sLAHh/dIhPANPUDcH7eVRHDBL3pL5uXFMllFjvA='";

/// As listing_policy, for a page with the form for files.
inline constexpr std::string_view upload_form_policy =
    "default-src 'none'; img-src 'self'; base-uri 'none'; form-action 'self'; connect-src 'self'; "
    "style-src 'sha256-HnhRJAw9E5gSPm/0PnHTHgMjbcLOc4YYwmxsFx1q/uQ=' "
    "'sha256-GSpgU5EDJ6BCp/bZDY6sH6NZSmTEYWXvRu8NjJcbhfk='; "
    "script-src 'sha256-6MV+sLAHh/dIhPANPUDcH7eVRHDBL3pL5uXFMllFjvA=' "
    "'sha256-wBWi/AAGOZoWRbJkEZl2O1qMVW2mt1N8kcn1Zp3gSis='";

}  // namespace weir::site
