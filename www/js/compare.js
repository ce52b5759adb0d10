// Shows two architectures side by side, with the text and drawings of this page; and animates every drawing.
const articles = new Map([...document.querySelectorAll('.architecture')].map((article) => [article.id, article]));
const selects = [document.getElementById('left'), document.getElementById('right')];
const compared = document.querySelector('.compared');

function facts_of(article) {
  const names = [...article.querySelectorAll('dt')];
  return names.map((name) => [name.textContent, name.nextElementSibling.textContent]);
}

function column(article, other) {
  const theirs = new Map(facts_of(other));
  const list = Object.assign(document.createElement('dl'), { className: 'facts' });
  for (const [name, value] of facts_of(article)) {
    const same = theirs.get(name) === value && article !== other;
    list.append(Object.assign(document.createElement('dt'), { textContent: name }),
                Object.assign(document.createElement('dd'), { textContent: value, className: same ? 'same' : '' }));
  }
  const box = document.createElement('div');
  box.append(article.querySelector('h3').cloneNode(true), article.querySelector('img').cloneNode(), list);
  return box;
}

function compare() {
  const [left, right] = selects.map((select) => articles.get(select.value));
  compared.replaceChildren(column(left, right), column(right, left));
}

// The fragment #run starts the animation inside a drawing: the drawing's own style looks for it.
function let_run(running) {
  for (const image of document.querySelectorAll('.architecture img, .compared img')) {
    const [file] = image.getAttribute('src').split('#');
    image.src = running ? `${file}#run` : file;
  }
}

for (const [index, select] of selects.entries()) {
  for (const name of articles.keys()) select.append(new Option(name, name));
  select.value = ['thread-per-connection', 'epoll-edge'][index];
  select.addEventListener('change', compare);
}
compare();
document.getElementById('comparison').hidden = false;

const water = document.getElementById('water');
water.hidden = matchMedia('(prefers-reduced-motion: reduce)').matches;
water.addEventListener('click', () => {
  const running = water.getAttribute('aria-pressed') !== 'true';
  water.setAttribute('aria-pressed', String(running));
  water.textContent = running ? 'Stop the animation' : 'Animate the drawings';
  let_run(running);
});
