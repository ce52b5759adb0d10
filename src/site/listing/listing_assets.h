#pragma once

#include <string_view>

namespace weir::site {

inline constexpr std::string_view listing_style = R"(
:root { --text: #1c2b33; --dim: #5a6b75; --line: #d9e1e6; --hover: #eef4f7; --link: #0a5c8a; --page: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dbe5ea; --dim: #93a4ae; --line: #2c3a43; --hover: #1d2a32; --link: #6cc1f0; --page: #121a1f; }
}
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { font-size: 1.35rem; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; font-size: 1.1rem; }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; margin: 1rem 0; color: var(--dim); }
input { flex: 0 1 16rem; min-width: 0; padding: .3rem .5rem; border: 1px solid var(--dim); border-radius: 4px;
  background: var(--page); color: var(--text); font: inherit; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .85rem; font-weight: 600; color: var(--dim); }
th a { display: inline-block; padding: .15rem 0; color: inherit; }
[aria-sort=ascending] a::after { content: " \2191" / ""; }
[aria-sort=descending] a::after { content: " \2193" / ""; }
th, td { padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
td:first-child { overflow-wrap: anywhere; }
td:first-child a { display: block; }
bdi { white-space: break-spaces; }
.number { width: 1%; padding-left: 2rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.number, p { color: var(--dim); }
tbody tr:hover, tbody tr:focus-within { background: var(--hover); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
p a, h1 a { text-decoration: underline; text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace; }
@media (max-width: 36rem) {
  body { padding: 1rem .75rem; }
  .number { padding-left: .5rem; font-size: .85rem; }
  .time { white-space: normal; min-width: 5.5rem; }
}
)";

/// Shows times in the browser's time zone, and filters the entries as the user types. The page
/// works without it.
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
document.getElementById('zone').hidden = true;

const filter = document.getElementById('filter'), shown = document.getElementById('shown');
if (filter) {
  const rows = [...document.querySelectorAll('tbody tr:not(.up)')].map((row) => [row, row.cells[0].textContent.toLowerCase()]);
  const apply = () => {
    const wanted = filter.value.trim().toLowerCase();
    let count = 0;
    for (const [row, name] of rows) {
      row.hidden = !name.includes(wanted);
      if (!row.hidden) ++count;
    }
    shown.textContent = wanted ? `${count} of ${rows.length} shown` : '';
  };
  filter.addEventListener('input', apply);
  filter.closest('.filter').hidden = false;
  apply();
}
)";

/// Allows exactly the style and the script above, by their SHA-256; a test compares the hashes. If
/// a name got past the escaping, it still could not run as a script.
inline constexpr std::string_view listing_policy =
    "default-src 'none'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "style-src 'sha256-TubznMTQsa/eEfI/aQRIYfSiJazgZF48/iBkQt15vFo='; "
    "script-src 'sha256-nmsATIn9cqteN+8vEF4p7JxnTvBHiVnNG7LwAmxGK3w='";

}  // namespace weir::site
