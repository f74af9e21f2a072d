/** Elements, numbers and charts. Texts go in as texts, whatever is in them. */

const SVG = 'http://www.w3.org/2000/svg';
const LEFT = 62;
const RIGHT = 8;
const TOP = 8;
const HEIGHT = 200;

export function make(parent, name, attributes = {}, text) {
  const space = parent instanceof SVGElement || name === 'svg';
  const node = space ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return parent ? parent.appendChild(node) : node;
}

export const whole = n => Math.round(n).toLocaleString('en-US');
export const number = n => Math.abs(n) >= 100 || n === 0 ? whole(n) : Number(n.toPrecision(4)).toString();

export function size(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; unit++) bytes /= 1024;
  return `${Number(bytes.toPrecision(3))} ${units[unit]}`;
}

export function short(n) {
  for (const [unit, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
    if (n >= unit) return Number((n / unit).toPrecision(3)) + letter;
  }
  return Number(n.toPrecision(3)).toString();
}

export const plural = (n, word) => `${whole(n)} ${word}${n === 1 ? '' : 's'}`;

const tip = document.getElementById('tip');

function hover(node, text) {
  node.addEventListener('mousemove', event => {
    tip.hidden = false;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - box.width - 6)}px`;
    tip.style.top = `${Math.min(event.clientY + 14, innerHeight - box.height - 6)}px`;
  });
  node.addEventListener('mouseleave', () => { tip.hidden = true; });
}

/** A table whose columns but the first few are numbers. */
export function table(parent, texts, head, lines) {
  const node = make(make(parent, 'div', {class: 'wide'}), 'table');
  const columns = make(make(node, 'thead'), 'tr');
  head.forEach((name, i) => make(columns, 'th', i < texts ? {} : {class: 'number'}, name));
  const rows = make(node, 'tbody');
  for (const line of lines) {
    const row = make(rows, 'tr');
    line.forEach((value, i) => {
      const cell = make(row, 'td', i < texts ? {} : {class: 'number'});
      cell.append(value);
    });
  }
  return node;
}

/** Names and values, each with a bar as long as its share of the largest. */
export function meters(parent, entries, text) {
  const rows = make(make(parent, 'table'), 'tbody');
  const most = Math.max(1, ...entries.map(([, value]) => value));
  for (const [name, value] of entries) {
    const row = make(rows, 'tr');
    make(row, 'td', {}, name);
    const cell = make(row, 'td');
    cell.style.width = '40%';
    make(cell, 'div', {class: 'meter'}).style.width = `${100 * value / most}%`;
    make(row, 'td', {class: 'number'}, text(value));
  }
}

/** A frame of logarithmic axes, and where a point is in it. */
function logFrame(parent, label, xs, ys, xTitle) {
  const place = make(parent, 'div');
  const width = Math.max(280, place.clientWidth);
  const svg = make(place, 'svg', {viewBox: `0 0 ${width} ${HEIGHT + 36}`, role: 'img', 'aria-label': label});
  const scale = (values, from, to) => {
    const least = Math.floor(Math.log10(Math.min(...values)));
    const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
    const at = v => from + (to - from) * (Math.log10(v) - least) / (most - least);
    return {at, powers: Array.from({length: most - least + 1}, (_, i) => 10 ** (least + i))};
  };
  const x = scale(xs, LEFT, width - RIGHT);
  const y = scale(ys, HEIGHT, TOP);
  const every = Math.ceil(x.powers.length / (width / 55));
  x.powers.forEach((power, i) => {
    make(svg, 'line', {class: 'grid', x1: x.at(power), x2: x.at(power), y1: TOP, y2: HEIGHT});
    if (i % every === 0) make(svg, 'text', {x: x.at(power), y: HEIGHT + 15, 'text-anchor': 'middle'}, short(power));
  });
  for (const power of y.powers) {
    make(svg, 'line', {class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y.at(power), y2: y.at(power)});
    make(svg, 'text', {x: LEFT - 7, y: y.at(power) + 4, 'text-anchor': 'end'}, short(power));
  }
  make(svg, 'line', {class: 'axis', x1: LEFT, x2: width - RIGHT, y1: HEIGHT, y2: HEIGHT});
  make(svg, 'text', {x: (LEFT + width) / 2, y: HEIGHT + 31, 'text-anchor': 'middle'}, xTitle);
  return {svg, x: x.at, y: y.at, bottom: HEIGHT, top: TOP};
}

/** Points on logarithmic axes, with the power law that was fitted to them. */
export function powerLaw(parent, label, points, law, xTitle, yTitle) {
  const shown = points.filter(([x, y]) => x > 0 && y > 0);
  if (shown.length < 2) {
    make(parent, 'p', {class: 'note'}, 'Too few points to draw.');
    return;
  }
  const frame = logFrame(parent, label, shown.map(p => p[0]), shown.map(p => p[1]), xTitle);
  if (law) {
    const inFrame = v => Math.min(frame.bottom, Math.max(frame.top, frame.y(v)));
    const ends = [shown[0][0], shown[shown.length - 1][0]];
    const path = ends.map((x, i) => `${i ? 'L' : 'M'}${frame.x(x)} ${inFrame(law(x))}`).join('');
    make(frame.svg, 'path', {class: 'curve', d: path});
  }
  for (const [x, y] of shown) {
    const point = make(frame.svg, 'circle', {class: 'point', cx: frame.x(x), cy: frame.y(y), r: 4});
    hover(point, `${xTitle}: ${whole(x)}\n${yTitle}: ${whole(y)}`);
  }
}

/** Bars; with logarithmic heights, a decade is as high as any other and one is just above none. */
export function bars(parent, label, values, {names, tips, xTitle, log = false}) {
  const place = make(parent, 'div');
  const width = Math.max(280, place.clientWidth);
  const svg = make(place, 'svg', {viewBox: `0 0 ${width} ${HEIGHT + 36}`, role: 'img', 'aria-label': label});
  const height = log ? v => v > 0 ? Math.log10(v) + 0.15 : 0 : v => v;
  const most = Math.max(log ? 0.3 : 1, ...values.map(height));
  const y = v => HEIGHT - (HEIGHT - TOP) * height(v) / most;
  for (const tick of log ? powers(most) : steps(Math.max(1, ...values))) {
    make(svg, 'line', {class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick)});
    make(svg, 'text', {x: LEFT - 7, y: y(tick) + 4, 'text-anchor': 'end'}, short(tick));
  }
  const step = (width - RIGHT - LEFT) / Math.max(1, values.length);
  const every = Math.ceil(values.length / ((width - LEFT) / 52));
  values.forEach((value, i) => {
    const gap = step > 4 ? 1.5 : 0;
    const bar = make(svg, 'rect', {
      class: 'bar', x: LEFT + i * step + gap / 2, y: y(value), width: Math.max(0.5, step - gap), height: Math.max(0, HEIGHT - y(value)),
    });
    hover(bar, tips(i));
    if (i % every === 0) make(svg, 'text', {x: LEFT + (i + 0.5) * step, y: HEIGHT + 15, 'text-anchor': 'middle'}, names(i));
  });
  make(svg, 'line', {class: 'axis', x1: LEFT, x2: width - RIGHT, y1: HEIGHT, y2: HEIGHT});
  make(svg, 'text', {x: (LEFT + width) / 2, y: HEIGHT + 31, 'text-anchor': 'middle'}, xTitle);
}

const powers = most => Array.from({length: Math.floor(most) + 1}, (_, i) => 10 ** i);

/** Round steps that cut a range into about four pieces. */
function steps(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  return Array.from({length: Math.floor(most / step + 1e-9) + 1}, (_, i) => i * step);
}
