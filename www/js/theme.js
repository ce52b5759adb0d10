// Runs before the first paint, so that the wrong theme never flashes. Without a choice, the system's theme applies.
const root = document.documentElement;
const dark_system = matchMedia('(prefers-color-scheme: dark)');

function stored_theme() {
  try { return localStorage.getItem('theme'); } catch { return null; }  // the browser may forbid storage
}

function current_theme() {
  return root.dataset.theme ?? (dark_system.matches ? 'dark' : 'light');
}

function choose_theme(theme) {
  root.dataset.theme = theme;
  try { localStorage.setItem('theme', theme); } catch { /* then the choice lasts for this page only */ }
}

const stored = stored_theme();
if (stored === 'light' || stored === 'dark') root.dataset.theme = stored;

document.addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme');
  const label = () => { button.textContent = current_theme() === 'dark' ? 'Light theme' : 'Dark theme'; };
  button.hidden = false;
  button.addEventListener('click', () => { choose_theme(current_theme() === 'dark' ? 'light' : 'dark'); label(); });
  dark_system.addEventListener('change', label);
  label();
});
