// Three trials of the server that sent this page: its headers, its conditional answers, its ranges.
const element = (name, words, kind) => Object.assign(document.createElement(name), { textContent: words, className: kind ?? '' });
const uncached = (target, options = {}) => fetch(target, { cache: 'no-store', ...options });
const count = (number) => number.toLocaleString('en');

function on_press(trial, run) {
  const section = document.getElementById(trial);
  const button = section.querySelector('button');
  const verdict = section.querySelector('.verdict');
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try { verdict.replaceChildren(...await run(section)); }
    catch (fault) { verdict.replaceChildren(`The trial failed: ${fault.message}.`); }
    button.disabled = false;
  });
}

async function show_headers(section) {
  const started = performance.now();
  const answer = await uncached(location.pathname, { method: 'HEAD' });
  const body = await answer.arrayBuffer();
  const spent = performance.now() - started;
  const protocol = performance.getEntriesByType('navigation')[0]?.nextHopProtocol || 'http';
  const list = document.createElement('dl');
  for (const [name, value] of answer.headers) {
    const row = document.createElement('div');
    row.append(element('dt', name), element('dd', value));
    list.append(row);
  }
  section.querySelector('.answer').replaceChildren(element('p', `${protocol.toUpperCase()} ${answer.status} ${answer.statusText}`, 'status'), list);
  return [`${[...answer.headers].length} headers, ${body.byteLength || 'no'} bytes of body, ${spent.toFixed(1)} ms in this browser.`];
}

async function measured(target, headers = {}) {
  const answer = await uncached(target, { headers });
  return { answer, bytes: (await answer.arrayBuffer()).byteLength };
}

async function show_conditions(section) {
  const target = 'css/weir.css';
  const first = await measured(target);
  const tag = first.answer.headers.get('etag');
  const date = first.answer.headers.get('last-modified');
  const same = tag ? ['If-None-Match', tag] : ['If-Modified-Since', date];
  const other = tag ? ['If-None-Match', '"another"'] : ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'];
  const trials = [['none', first]];
  for (const [name, value] of [same, other]) trials.push([`${name}: ${value}`, await measured(target, { [name]: value })]);
  section.querySelector('tbody').replaceChildren(...trials.map(([condition, { answer, bytes }]) => {
    const row = document.createElement('tr');
    const code = document.createElement('td');
    code.append(element('code', condition));
    row.append(code, element('td', answer.status, 'number'), element('td', count(bytes), 'number'));
    return row;
  }));
  const held = trials[1][1].answer.status === 304 && trials[2][1].answer.status === 200;
  return held ? [element('strong', '304'), ` saved ${count(first.bytes)} bytes. A different validator got the whole file.`]
              : ['This server does not answer 304 to its own validator.'];
}

async function byte_range(target, first, last) {
  const answer = await uncached(target, { headers: { Range: `bytes=${first}-${last}` } });
  if (answer.status !== 206) throw new Error(`the page asked for a range, and the server answered ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes.length !== last - first + 1) throw new Error(`the page asked for ${last - first + 1} bytes and got ${bytes.length}`);
  return { bytes, range: answer.headers.get('content-range') };
}

// A bitmap of 256 colours: 14 + 40 bytes of header, 4 bytes for each colour, then rows from the bottom to the top.
function bitmap_head(bytes) {
  const view = new DataView(bytes.buffer);
  return { start: view.getUint32(10, true), width: view.getInt32(18, true), height: view.getInt32(22, true), colours: bytes.subarray(54) };
}

function paint_rows(pen, { width, height, colours }, first_row, indices) {
  const rows = indices.length / width;
  const strip = pen.createImageData(width, rows);
  indices.forEach((index, place) => {
    const row = rows - 1 - Math.floor(place / width);
    const [blue, green, red] = colours.subarray(index * 4, index * 4 + 3);
    strip.data.set([red, green, blue, 255], (row * width + place % width) * 4);
  });
  pen.putImageData(strip, 0, height - first_row - rows);
}

function shuffled(length) {
  const order = [...Array(length).keys()];
  for (let last = length - 1; last > 0; --last) {
    const pick = Math.floor(Math.random() * (last + 1));
    [order[last], order[pick]] = [order[pick], order[last]];
  }
  return order;
}

async function show_ranges(section) {
  const target = 'images/water.bmp', head_bytes = 1078, rows = 12;
  const pen = section.querySelector('canvas').getContext('2d');
  pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
  const { bytes: head_part } = await byte_range(target, 0, head_bytes - 1);
  const head = bitmap_head(head_part);
  const joined = new Uint8Array(head.start + head.width * head.height);
  joined.set(head_part);
  let last_range;
  for (const strip of shuffled(head.height / rows)) {
    const first = head.start + strip * rows * head.width;
    const { bytes, range } = await byte_range(target, first, first + rows * head.width - 1);
    joined.set(bytes, first);
    paint_rows(pen, head, strip * rows, bytes);
    last_range = range;
  }
  const whole = new Uint8Array(await (await uncached(target)).arrayBuffer());
  const equal = whole.length === joined.length && whole.every((byte, place) => byte === joined[place]);
  return [element('strong', `${head.height / rows + 1} answers of 206`), ` put together ${equal ? 'equal' : 'DIFFER FROM'} the whole file of ${count(whole.length)} bytes. The last one: `,
          element('code', last_range)];
}

// Each trial runs when it first scrolls into view, and again when its button is pressed.
const trials = { 'trial-headers': show_headers, 'trial-conditions': show_conditions, 'trial-ranges': show_ranges };
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    target.querySelector('button').click();
  }
}, { threshold: 0.5 });
for (const [trial, run] of Object.entries(trials)) {
  on_press(trial, run);
  watcher.observe(document.getElementById(trial));
}
