'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const report = data.report;
  const execution = report.execution;
  const SVG = 'http://www.w3.org/2000/svg';
  const LEFT = 74;
  // The width of charts over time, in pixels of the page.
  let WIDTH = 1120;
  const tip = document.getElementById('tip');

  // ---- Elements. Texts go in as texts, whatever is in them.

  function make(parent, name, attributes = {}, text) {
    const space = parent instanceof SVGElement || name === 'svg';
    const node = space ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return parent.appendChild(node);
  }

  const at = id => document.getElementById(id);
  const note = (id, text) => { at(id).textContent = text; };
  const whole = n => Math.round(n).toLocaleString('en-US');
  const number = n => n >= 100 || n === 0 ? whole(n) : n.toPrecision(3).replace(/\.?0+$/, '');
  const counted = (n, word) => `${whole(n)} ${word}${n === 1 ? '' : 's'}`;
  const seconds = s => s >= 100 ? `${whole(s)} s` : `${number(s)} s`;
  const color = activity => `var(--${activity.replaceAll(' ', '-')})`;

  function size(bytes) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let unit = 0;
    for (; bytes >= 1024 && unit < units.length - 1; unit++) bytes /= 1024;
    return `${number(bytes)} ${units[unit]}`;
  }

  function short(n) {
    for (const [unit, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
      if (n >= unit) return number(n / unit) + letter;
    }
    return number(n);
  }

  function hover(node, text) {
    node.addEventListener('mousemove', event => {
      const says = text(event);
      tip.hidden = !says;
      tip.textContent = says;
      const box = tip.getBoundingClientRect();
      tip.style.left = `${Math.min(event.clientX + 14, innerWidth - box.width - 6)}px`;
      tip.style.top = `${Math.min(event.clientY + 14, innerHeight - box.height - 6)}px`;
    });
    node.addEventListener('mouseleave', () => { tip.hidden = true; });
  }

  function legend(parent, entries) {
    const list = make(parent, 'ul', {class: 'legend'});
    for (const [text, fill] of entries) {
      const item = make(list, 'li');
      make(item, 'i').style.background = fill;
      item.append(text);
    }
  }

  // ---- Axes

  /** Round steps that cut a range into about so many pieces. */
  function ticks(most, count) {
    if (!(most > 0)) return [0];
    const rough = most / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
    return Array.from({length: Math.floor(most / step + 1e-9) + 1}, (_, i) => i * step);
  }

  const widthOf = id => Math.max(280, at(id).clientWidth);

  function chart(id, height, label, width = WIDTH) {
    return make(at(id), 'svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label});
  }

  const span = Math.max(report.seconds, ...data.busy.map(b => b[1]), 1e-3);
  const timeX = s => LEFT + (WIDTH - LEFT - 10) * Math.min(1, Math.max(0, s / span));
  const timeAt = (svg, event) => {
    const box = svg.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - 10) * span;
  };

  function timeAxis(svg, top, bottom) {
    for (const tick of ticks(span, Math.min(10, WIDTH / 90))) {
      const x = timeX(tick);
      make(svg, 'line', {class: 'grid', x1: x, x2: x, y1: top, y2: bottom});
      make(svg, 'text', {x, y: bottom + 15, 'text-anchor': 'middle'}, seconds(tick));
    }
    make(svg, 'line', {class: 'axis', x1: LEFT, x2: WIDTH - 10, y1: bottom, y2: bottom});
  }

  /** Steps that are round in the unit that they are written in. */
  function byteTicks(most) {
    const unit = 1024 ** Math.max(0, Math.floor(Math.log2(Math.max(1, most)) / 10));
    return ticks(most / unit, 4).map(tick => tick * unit);
  }

  function valueAxis(svg, most, top, bottom, text, steps = ticks(most, 4), right = WIDTH - 10) {
    const y = v => bottom - (bottom - top) * (most > 0 ? v / most : 0);
    for (const tick of steps) {
      make(svg, 'line', {class: 'grid', x1: LEFT, x2: right, y1: y(tick), y2: y(tick)});
      make(svg, 'text', {x: LEFT - 7, y: y(tick) + 4, 'text-anchor': 'end'}, text(tick));
    }
    return y;
  }

  // ---- The parts of the page

  /** Documents that an interrupted build had read. */
  const earlierDocuments = () => execution ? Math.max(0, report.documents - execution.readDocuments) : 0;

  function figures() {
    const name = report.output.split('/').filter(Boolean).pop() || report.output;
    document.title = `Build report: ${name}`;
    note('title', `Build report: ${name}`);
    note('subtitle', report.output);
    const now = execution ? execution.readDocuments : report.documents;
    const bytesNow = execution ? execution.readBytes : report.sourceBytes;
    const entries = [
      [whole(report.documents), 'documents'],
      [seconds(report.seconds), 'wall clock'],
      [`${whole(now / Math.max(report.seconds, 1e-9))} /s`, 'documents'],
      [`${size(bytesNow / Math.max(report.seconds, 1e-9))}/s`, 'read, unpacked'],
      [short(report.tokens), 'tokens'],
      [short(report.postings), 'postings'],
      [size(report.sourceBytes), 'of documents'],
      [size(report.indexBytes), 'of index'],
      [whole(report.skippedDocuments), 'left out'],
    ];
    if (report.distinctTerms >= 0) entries.splice(6, 0, [short(report.distinctTerms), 'distinct terms']);
    if (report.peakMemoryBytes >= 0) entries.push([size(report.peakMemoryBytes), 'peak memory']);
    for (const [value, label] of entries) {
      const figure = make(at('figures'), 'div', {class: 'figure'});
      make(figure, 'b', {}, value);
      make(figure, 'span', {}, label);
    }
  }

  /** What the build spent its time with, in one sentence. */
  function diagnosis() {
    const total = report.work.reduce((sum, item) => sum + item.threadSeconds, 0);
    if (!(total > 0)) return;
    const most = report.work.reduce((a, b) => b.threadSeconds > a.threadSeconds ? b : a);
    const share = `${Math.round(100 * most.threadSeconds / total)} % of thread time`;
    if (!execution || execution.cpuSeconds < 0) {
      note('diagnosis', `Most work: ${most.name}, ${share}.`);
      return;
    }
    const cores = execution.cpuSeconds / Math.max(report.seconds, 1e-9);
    const usable = Math.min(execution.cores, execution.threads);
    const used = `${number(cores)} of ${usable} ${usable === 1 ? 'core' : 'cores'} in use on average`;
    if (most.name === 'read' && cores < 0.75 * usable) {
      note('diagnosis', `Bound by reading: ${share}, with ${used}. Either the disk is slow, or other programs were busy, too.`);
    } else if (cores >= 0.75 * usable) {
      note('diagnosis', `Bound by the processor: ${used}. Most work: ${most.name}, ${share}.`);
    } else {
      note('diagnosis', `Most work: ${most.name}, ${share}, with ${used}.`);
    }
  }

  /** A path of one rectangle for each bin, stacked on what is there already. */
  function stacked(shares, base, top, height) {
    let path = '';
    shares.forEach((share, bin) => {
      if (share === 0) return;
      const from = base[bin] || 0;
      const to = Math.min(100, from + share);
      base[bin] = to;
      const x = timeX(bin * data.binSeconds);
      const width = Math.max(0.6, timeX((bin + 1) * data.binSeconds) - x);
      const y = top + height * (1 - to / 100);
      path += `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(2)}v${(height * (to - from) / 100).toFixed(1)}h-${width.toFixed(2)}z`;
    });
    return path;
  }

  function timeline() {
    const row = data.lanes.length > 20 ? 15 : 22;
    const top = 26;
    const bottom = top + data.lanes.length * (row + 4);
    const svg = chart('timeline', bottom + 24, 'What each thread did when');
    phases(svg, bottom);
    timeAxis(svg, top, bottom);
    const used = new Set();
    data.lanes.sort((a, b) => begin(a) - begin(b));
    data.lanes.forEach((lane, i) => {
      const y = top + 3 + i * (row + 4);
      make(svg, 'text', {class: 'name', x: LEFT - 7, y: y + row / 2 + 4, 'text-anchor': 'end'}, lane.name);
      make(svg, 'rect', {class: 'band', x: LEFT, y, width: WIDTH - LEFT - 10, height: row, rx: 2});
      const base = [];
      for (const [activity, shares] of Object.entries(lane.spent)) {
        used.add(activity);
        make(svg, 'path', {class: 'spent', 'data-activity': activity, d: stacked(shares, base, y, row), fill: color(activity)});
      }
    });
    hover(svg, event => timelineTip(svg, event, top + 3, row + 4));
    legend(at('timeline'), [...used].map(a => [a, color(a)]).concat([['nothing, or waiting', 'var(--band)']]));
    note('timeline-note', 'A row is a thread, or a part of a device; the height of a colour is its share of the time.');
  }

  /** The first bin that any of the threads of a name has: they stay together, in order of their work. */
  function begin(lane) {
    const kin = data.lanes.filter(other => pool(other) === pool(lane));
    return Math.min(...kin.flatMap(other => Object.values(other.spent).map(shares => shares.findIndex(s => s > 0))));
  }

  const pool = lane => lane.name.replace(/\d+$/, '');

  function phases(svg, bottom) {
    let from = 0;
    for (const phase of report.phases) {
      const to = from + phase.seconds;
      make(svg, 'line', {class: 'axis', x1: timeX(to), x2: timeX(to), y1: 6, y2: bottom, 'stroke-dasharray': '2 3'});
      if (timeX(to) - timeX(from) > 44) {
        make(svg, 'text', {x: (timeX(from) + timeX(to)) / 2, y: 16, 'text-anchor': 'middle'}, phase.name);
      }
      from = to;
    }
  }

  function timelineTip(svg, event, top, row) {
    const box = svg.getBoundingClientRect();
    const lane = data.lanes[Math.floor(((event.clientY - box.top) / box.width * WIDTH - top) / row)];
    const time = timeAt(svg, event);
    if (!lane || time < 0 || time > span) return '';
    const bin = Math.floor(time / data.binSeconds);
    const lines = Object.entries(lane.spent)
      .filter(([, shares]) => shares[bin] > 0)
      .map(([activity, shares]) => `${activity} ${shares[bin]} %`);
    return [`${lane.name} at ${seconds(time)}`, ...(lines.length ? lines : ['nothing, or waiting'])].join('\n');
  }

  /** Steps of one value for each interval. */
  function steps(points, value, y) {
    return points.map((p, i) => `${i ? 'L' : 'M'}${timeX(p[0]).toFixed(1)} ${y(value(p)).toFixed(1)}H${timeX(p[1]).toFixed(1)}`).join('');
  }

  function busy() {
    const height = 150;
    const svg = chart('busy', height + 24, 'Threads at work and processor time over time');
    const cores = execution ? execution.cores : 0;
    const points = data.busy.map(([from, to, used, threads]) => [from, to, cores ? Math.min(used, cores) : used, threads]);
    const most = Math.max(1, cores, ...points.map(b => Math.max(b[2], b[3])));
    const stretch = report.oneCore;
    if (stretch.toSeconds > stretch.fromSeconds) {
      const x = timeX(stretch.fromSeconds);
      make(svg, 'rect', {class: 'mark', x, y: 8, width: timeX(stretch.toSeconds) - x, height: height - 8});
    }
    timeAxis(svg, 8, height);
    const y = valueAxis(svg, most, 8, height, number, ticks(most, 4).filter(Number.isInteger));
    if (cores) make(svg, 'line', {class: 'limit', x1: LEFT, x2: WIDTH - 10, y1: y(cores), y2: y(cores)});
    const used = steps(points, b => b[2], y);
    if (used) {
      make(svg, 'path', {class: 'area', d: `${used}V${height}H${timeX(points[0][0])}z`});
      make(svg, 'path', {class: 'curve', d: used});
      make(svg, 'path', {class: 'curve second', d: steps(points, b => b[3], y)});
    }
    hover(svg, event => {
      const time = timeAt(svg, event);
      const found = points.find(b => b[0] <= time && time < b[1]);
      return found ? `${seconds(time)}\n${number(found[2])} cores used\n${number(found[3])} threads at work` : '';
    });
    legend(at('busy'), [['cores used', 'var(--accent)'], ['threads at work, or waiting for the disk', 'var(--analyze)']]);
    const share = 100 * (stretch.toSeconds - stretch.fromSeconds) / Math.max(report.seconds, 1e-9);
    const limit = cores ? ` The dashed line is the machine's ${cores} ${cores === 1 ? 'core' : 'cores'}.` : '';
    note('busy-note', `Marked: the longest stretch with at most one thread at work, ${number(share)} % of the time.${limit}`);
  }

  /** Averages over as many samples as make a hundred points. */
  function smoothed() {
    const step = Math.max(1, Math.ceil((data.samples.length - 1) / 100));
    const points = [];
    for (let i = 0; i + 1 < data.samples.length; i += step) {
      const [from, documents, bytes] = data.samples[i];
      const [to, moreDocuments, moreBytes] = data.samples[Math.min(i + step, data.samples.length - 1)];
      if (to > from) points.push([from, to, (moreBytes - bytes) / (to - from) / (1 << 20), (moreDocuments - documents) / (to - from)]);
    }
    return points;
  }

  function throughput() {
    const points = smoothed();
    const draw = (id, column, label, style) => {
      const height = 110;
      const svg = chart(id, height + 24, label);
      const most = Math.max(1e-9, ...points.map(p => p[column]));
      timeAxis(svg, 8, height);
      const y = valueAxis(svg, most, 8, height, short, ticks(most, 3));
      const path = steps(points, p => p[column], y);
      if (path) make(svg, 'path', {class: `curve ${style}`, d: path});
      hover(svg, event => {
        const time = timeAt(svg, event);
        const p = points.find(q => q[0] <= time && time < q[1]);
        return p ? `${seconds(time)}\n${number(p[2])} MiB/s\n${whole(p[3])} documents/s` : '';
      });
    };
    draw('throughput-bytes', 2, 'MiB a second over time', '');
    draw('throughput-documents', 3, 'Documents a second over time', 'second');
    const before = earlierDocuments();
    const earlier = before > 0 ? ` Without ${counted(before, 'document')} that an interrupted build had read.` : '';
    note('throughput-note', `Documents by the time that they were done with.${earlier}`);
  }

  function bars(id, values, label, tipOf, axisText, xText) {
    const width = widthOf(id);
    const height = 190;
    const svg = chart(id, height + 34, label, width);
    const most = Math.max(1, ...values);
    const y = valueAxis(svg, most, 8, height, axisText, axisText === size ? byteTicks(most) : undefined, width - 6);
    const step = (width - 6 - LEFT) / Math.max(1, values.length);
    values.forEach((value, i) => {
      const gap = step > 4 ? 1.5 : 0;
      const bar = make(svg, 'rect', {
        class: 'bar', x: LEFT + i * step + gap / 2, y: y(value), width: Math.max(0.5, step - gap),
        height: value > 0 ? Math.max(1, height - y(value)) : 0,
      });
      hover(bar, () => tipOf(i));
      if (xText && xText(i)) {
        make(svg, 'text', {x: LEFT + (i + 0.5) * step, y: height + 15, 'text-anchor': 'middle'}, xText(i));
      }
    });
    make(svg, 'line', {class: 'axis', x1: LEFT, x2: width - 6, y1: height, y2: height});
    return svg;
  }

  function runs() {
    const onDisk = data.runs.every(r => r.bytes >= 0);
    const values = data.runs.map(r => onDisk ? r.bytes : r.tokens);
    const every = Math.ceil(values.length / Math.max(2, widthOf('runs') / 60));
    bars('runs', values, 'Sizes of runs in the order of their documents',
      i => {
        const r = data.runs[i];
        const lines = [`run ${r.number} of split ${r.split}`, counted(r.documents, 'document'), counted(r.tokens, 'token')];
        return (r.bytes >= 0 ? [...lines, size(r.bytes)] : lines).join('\n');
      },
      onDisk ? size : short,
      i => i % every === 0 ? String(data.runs[i].split) : '');
    const shown = data.runs.length < data.runCount ? ` (${whole(data.runs.length)} of them)` : '';
    note('runs-note', `${counted(data.runCount, 'run')}${shown} in the order of their documents, ${onDisk ? 'bytes on disk' : 'tokens'}; below, the number of the split.`);
  }

  function terms() {
    if (!data.terms) return;
    const counts = data.terms.byDocuments;
    const width = widthOf('terms');
    const height = 190;
    const svg = chart('terms', height + 34, 'Terms by the number of their documents', width);
    // A decade is as high as any other; one term is just above none.
    const log = v => v > 0 ? Math.log10(v) + 0.15 : 0;
    const most = Math.max(1, ...counts.map(log));
    const y = v => Math.max(8, height - (height - 8) * log(v) / most);
    for (let power = 0; power < most; power++) {
      const v = 10 ** power;
      make(svg, 'line', {class: 'grid', x1: LEFT, x2: width - 6, y1: y(v), y2: y(v)});
      make(svg, 'text', {x: LEFT - 7, y: y(v) + 4, 'text-anchor': 'end'}, short(v));
    }
    const step = (width - 6 - LEFT) / Math.max(1, counts.length);
    counts.forEach((count, i) => {
      const bar = make(svg, 'rect', {class: 'bar', x: LEFT + i * step + 1, y: y(count), width: Math.max(1, step - 2), height: height - y(count)});
      hover(bar, () => `in ${short(2 ** i)} to ${short(2 ** (i + 1) - 1)} documents\n${counted(count, 'term')}`);
      if (i % Math.ceil(counts.length / 8) === 0) {
        make(svg, 'text', {x: LEFT + (i + 0.5) * step, y: height + 15, 'text-anchor': 'middle'}, `${short(2 ** i)}+`);
      }
    });
    // The same by occurrences: straight where Zipf's law holds.
    const path = data.terms.byOccurrences.slice(0, counts.length)
      .map((count, k) => `${k ? 'L' : 'M'}${(LEFT + (k + 0.5) * step).toFixed(1)} ${y(count).toFixed(1)}`).join('');
    if (path) make(svg, 'path', {class: 'curve', d: path, style: 'stroke: var(--warn)'});
    make(svg, 'line', {class: 'axis', x1: LEFT, x2: width - 6, y1: height, y2: height});
    make(svg, 'text', {x: (LEFT + width) / 2, y: height + 31, 'text-anchor': 'middle'}, 'documents that a term is in');
    legend(at('terms'), [['terms', 'var(--accent)'], ['the same by occurrences', 'var(--warn)']]);
    note('terms-note', `${whole(counts.reduce((a, b) => a + b, 0))} terms of the tokenized fields, by powers of two; both scales are logarithmic.`);
  }

  function sources() {
    const entries = Object.entries(report.sources);
    const rows = make(make(at('sources'), 'table'), 'tbody');
    const most = Math.max(1, ...entries.map(([, source]) => source.documents));
    for (const [format, source] of entries) {
      const row = make(rows, 'tr');
      make(row, 'td', {}, format);
      make(make(row, 'td', {style: 'width: 40%'}), 'div', {class: 'meter', style: `width: ${100 * source.documents / most}%`});
      make(row, 'td', {class: 'number'}, whole(source.documents));
      make(row, 'td', {class: 'number'}, size(source.bytes));
    }
  }

  function skipped() {
    const entries = Object.entries(report.skipped);
    if (report.keptInPart > 0) entries.push(['kept in part', report.keptInPart]);
    note('skipped-note', `${counted(report.skippedDocuments, 'document')}; skipped.jsonl lists all.`);
    const rows = make(make(at('skipped'), 'table'), 'tbody');
    const most = Math.max(1, ...entries.map(e => e[1]));
    for (const [reason, count] of entries) {
      const row = make(rows, 'tr', {class: 'reason'});
      make(row, 'td', {}, reason);
      make(make(row, 'td', {style: 'width: 40%'}), 'div', {class: 'meter', style: `width: ${100 * count / most}%`});
      make(row, 'td', {class: 'number'}, whole(count));
      for (const example of (report.examples[reason] || []).slice(0, 3)) {
        make(make(rows, 'tr'), 'td', {class: 'detail', colspan: 3}, example);
      }
    }
  }

  function noted() {
    const rows = make(make(at('noted'), 'table'), 'tbody');
    const line = (text, count) => {
      const row = make(rows, 'tr', {class: 'reason'});
      make(row, 'td', {}, text);
      make(row, 'td', {class: 'number'}, count);
    };
    for (const [what, count] of Object.entries(report.noted)) {
      line(what, counted(count, 'document'));
      for (const example of (report.examples[what] || []).slice(0, 3)) {
        make(make(rows, 'tr'), 'td', {class: 'detail', colspan: 2}, example);
      }
    }
    if (report.documents > 0 && report.emptyColumns.length) line(`no document has a value for ${report.emptyColumns.join(', ')}`, '');
    for (const [name, count] of Object.entries(report.unusedMembers).sort((a, b) => b[1] - a[1])) line(`not read: member '${name}' of JSON objects`, counted(count, 'time'));
    for (const [why, count] of Object.entries(report.json.unsure)) line(`JSON read by Jackson: ${why}`, counted(count, 'object'));
    for (const [kind, count] of Object.entries(report.passedOver)) line(`passed over: ${kind}`, counted(count, 'record'));
  }

  function work() {
    const rows = make(make(at('work'), 'table'), 'tbody');
    const most = Math.max(1e-9, ...report.work.map(w => w.threadSeconds));
    for (const item of report.work.filter(w => w.threadSeconds > 0)) {
      const row = make(rows, 'tr');
      make(row, 'td', {}, item.name);
      const meter = make(make(row, 'td', {style: 'width: 40%'}), 'div', {class: 'meter', style: `width: ${100 * item.threadSeconds / most}%`});
      meter.style.background = color(item.name);
      make(row, 'td', {class: 'number'}, seconds(item.threadSeconds));
      make(row, 'td', {class: 'number'}, item.bytes ? size(item.bytes) : '');
    }
    for (const device of report.sorting.stage.devices) {
      make(make(rows, 'tr'), 'td', {colspan: 4}, `${device.name}: ${counted(device.runs, 'run')}; up ${seconds(device.uploadSeconds)}, sorted ${seconds(device.sortSeconds)}, back ${seconds(device.downloadSeconds)}`);
    }
    for (const [reason, count] of Object.entries(report.sorting.stage.cpuReasons)) {
      make(make(rows, 'tr'), 'td', {colspan: 4, class: 'detail'}, count ? `${counted(count, 'run')} sorted by the CPU: ${reason}` : reason);
    }
  }

  /** A table whose columns but the first, or the first few, are numbers. */
  function table(id, texts, head, lines) {
    if (!lines.length) return;
    const whole = make(at(id), 'table');
    const columns = make(make(whole, 'thead'), 'tr');
    head.forEach((name, i) => make(columns, 'th', i < texts ? {} : {class: 'number'}, name));
    const rows = make(whole, 'tbody');
    for (const line of lines) {
      const row = make(rows, 'tr');
      line.forEach((value, i) => make(row, 'td', i < texts ? {} : {class: 'number'}, value));
    }
  }

  function fields() {
    table('fields', 1, ['field', 'documents', 'terms', 'postings', 'tokens'], report.fields.map(f =>
      [f.name, whole(f.documents), f.terms < 0 ? 'not counted' : whole(f.terms), whole(f.postings), whole(f.tokens)]));
  }

  function topTerms() {
    table('top-terms', 2, ['term', 'field', 'documents', 'occurrences'], report.topTerms.map(t =>
      [t.term, t.field, whole(t.documents), whole(t.occurrences)]));
  }

  function files() {
    table('files', 1, ['file', 'size'], report.files.map(f => [f.name, size(f.bytes)]));
  }

  function pairs(id, entries) {
    const rows = entries.length ? make(make(at(id), 'table'), 'tbody') : null;
    for (const [name, value] of entries) {
      const row = make(rows, 'tr');
      make(row, 'th', {style: 'width: 9em'}, name);
      make(row, 'td', {}, value);
    }
  }

  function ran() {
    if (!execution) return;
    const quoted = argument => /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
    const input = report.origin ? report.origin.input : null;
    const paths = report.origin ? Object.entries(report.origin.options).filter(([name]) => name.startsWith('path ')).map(([, path]) => path) : [];
    const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
    pairs('execution', [
      ['started', execution.started.replace('T', ' ').replace('Z', ' UTC')],
      ['program', execution.version && `indexer ${execution.version}`],
      ['command', execution.command.length ? `indexer ${execution.command.map(quoted).join(' ')}` : ''],
      ['host', `${execution.host}${execution.host ? ', ' : ''}${counted(execution.cores, 'core')}`],
      ['Java', execution.java],
      ['threads', whole(execution.threads)],
      ['memory', size(execution.memoryBytes)],
      ['processor time', execution.cpuSeconds >= 0 ? seconds(execution.cpuSeconds) : ''],
      ['input', input ? `${paths.slice(0, 5).join(', ')}${more}: ${counted(input.files, 'file')}, ${size(input.bytes)}` : ''],
      ['resumed', earlierDocuments() > 0 ? `${counted(earlierDocuments(), 'document')} taken over from an interrupted build` : ''],
    ].filter(([, value]) => value));
  }

  function options() {
    pairs('options', Object.entries(report.options));
  }

  const parts = [figures, diagnosis, timeline, busy, throughput, runs, terms, fields, topTerms, sources, skipped, noted, work, files, ran, options];
  const places = document.querySelectorAll('#figures, section > div');

  /** Hides sections that have nothing to show. */
  function hideEmpty() {
    for (const section of document.querySelectorAll('main section:not(#figures)')) {
      const drawings = [...section.querySelectorAll(':scope > div')];
      section.hidden = drawings.every(drawing => !drawing.querySelector('svg, tr'));
    }
  }

  function draw() {
    WIDTH = widthOf('timeline');
    places.forEach(place => place.replaceChildren());
    for (const part of parts) part();
    hideEmpty();
    document.body.dataset.drawn = 'yes';
  }

  draw();
  addEventListener('resize', () => {
    if (widthOf('timeline') !== WIDTH) draw();
  });
})();
