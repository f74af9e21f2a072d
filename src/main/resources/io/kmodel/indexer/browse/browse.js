import {bars, make, meters, number, plural, powerLaw, short, size, table, whole} from '/charts.js';
import {VirtualList} from '/list.js';

const view = document.getElementById('view');
const box = document.getElementById('q');
const START = '\uFDD0';
const END = '\uFDD1';
const HITS = 10;

/** The index, asked for once. */
let index;

/** Counts the views that were asked for, so that a late answer does not replace a newer view. */
let turn = 0;

/** Ends the requests of a view that is left, which browsers would otherwise let the next ones wait for. */
let leaving = new AbortController();

async function ask(path, parameters = {}) {
  const answer = await fetch(`/api/${path}?${new URLSearchParams(parameters)}`, {signal: leaving.signal}).catch(e => {
    throw e.name === 'AbortError' ? e : new Error('The program does not answer. Was it stopped?');
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

/** The address of a view. */
const to = (name, parameters = {}) => `#/${name}?${new URLSearchParams(parameters)}`;

function link(parent, href, text, attributes = {}) {
  return make(parent, 'a', {href, ...attributes}, text);
}

function section(parent, title, note) {
  const node = make(parent, 'section');
  if (title) make(node, 'h2', {}, title);
  if (note) make(node, 'p', {class: 'note'}, note);
  return node;
}

function figures(parent, entries) {
  const node = make(parent, 'section', {class: 'figures'});
  for (const [value, label] of entries) {
    const figure = make(node, 'div', {class: 'figure'});
    make(figure, 'b', {}, value);
    make(figure, 'span', {}, label);
  }
}

function pairs(parent, entries) {
  const rows = make(make(parent, 'table'), 'tbody');
  for (const [name, value] of entries) {
    const row = make(rows, 'tr');
    make(row, 'th', {}, name).style.width = '9em';
    make(row, 'td').append(value);
  }
}

/** A choice of a field, which leads to another view. */
function fieldChoice(parent, fields, chosen, address) {
  const choice = make(parent, 'select', {'aria-label': 'Field'});
  for (const field of fields) {
    const option = make(choice, 'option', {value: field.name}, field.name);
    option.selected = field.name === chosen;
  }
  choice.addEventListener('change', () => { location.hash = address(choice.value); });
}

const withTerms = () => index.fields.filter(f => f.terms !== 0);
const withLengths = () => index.fields.filter(f => f.hasLengths && f.documents > 0);
const mainField = fields => (fields.find(f => index.searched.includes(f.name)) || fields[0] || {name: ''}).name;
const termParameter = term => term.hex ? {hex: term.hex} : {term: term.term};

// ---- The index

async function showIndex(parent) {
  const total = Object.values(index.files).reduce((a, b) => a + b, 0);
  const entries = [
    [whole(index.documents - index.deleted), 'documents'],
    [short(index.fields.reduce((sum, f) => sum + f.postings, 0)), 'postings'],
    [short(index.fields.filter(f => f.hasLengths).reduce((sum, f) => sum + f.tokens, 0)), 'tokens'],
    [size(total), 'of files'],
  ];
  if (index.deleted > 0) entries.splice(1, 0, [whole(index.deleted), 'deleted']);
  figures(parent, entries);
  table(section(parent, 'Fields', 'A name leads to the terms of the field.'), 2,
    ['field', 'records', 'terms', 'documents', 'postings', 'tokens'],
    index.fields.map(f => [
      f.terms === 0 ? f.name : link(null, to('terms', {field: f.name}), f.name), f.records,
      f.terms < 0 ? 'not counted' : whole(f.terms), whole(f.documents), whole(f.postings), whole(f.tokens),
    ]));
  const analysis = section(parent, 'Analysis and options');
  pairs(analysis, [
    ...Object.entries(index.analyzers).map(([field, name]) => [field ? `analyzer of ${field}` : 'analyzer', name]),
    ['searched', index.searched.join(', ')],
    ...Object.entries(index.options),
  ]);
}

// ---- Search

async function showSearch(parent, parameters) {
  const q = parameters.get('q') || '';
  box.value = q;
  if (!q) {
    const help = section(parent, 'Search', 'Queries are in Lucene\'s classic syntax.');
    table(help, 2, ['query', 'finds'], [
      ['flood plain', 'documents with either word, those with both first'],
      ['+flood -plain', 'documents with the first word and without the second'],
      ['"flood plain"~2', 'a phrase, with up to two words between'],
      ['title:river', 'a word of another field'],
      ['riv*  rivr~1  [a TO b]', 'beginnings, similar words, ranges'],
    ]);
    return;
  }
  const from = Number(parameters.get('from')) || 0;
  const found = await ask('search', {q, from, size: HITS});
  const node = section(parent, `${found.exact ? '' : 'at least '}${plural(found.found, 'document')}`,
    `${number(found.milliseconds)} ms; words without a field are searched in ${index.searched.join(', ')}`);
  for (const field of found.unknownFields) {
    make(node, 'p', {class: 'error'}, `The index does not search a field '${field}'.`);
  }
  const list = make(node, 'ol', {class: 'hits'});
  for (const hit of found.hits) showHit(make(list, 'li', {class: 'hit'}), hit, q);
  const pager = make(node, 'div', {class: 'pager'});
  if (from > 0) link(pager, to('search', {q, from: Math.max(0, from - HITS)}), '← previous', {rel: 'prev'});
  if (found.hits.length === HITS && from + HITS < Math.min(found.exact ? found.found : Infinity, found.most)) {
    link(pager, to('search', {q, from: from + HITS}), 'next →', {rel: 'next'});
  }
}

const nameOf = found => found.title || found.id || `document ${found.document}`;

function showHit(parent, hit, q) {
  link(make(parent, 'h3'), to('document', {n: hit.document}), `${hit.rank}. ${nameOf(hit)}`, {class: 'row'});
  make(parent, 'p', {class: 'id'}, `${hit.id ?? `document ${hit.document}`} · score ${hit.score.toFixed(3)}`);
  if (hit.snippet) marked(make(parent, 'p'), hit.snippet);
  const why = make(parent, 'details');
  make(why, 'summary', {}, 'Why this score?');
  why.addEventListener('toggle', async () => {
    if (!why.open || why.dataset.asked) return;
    why.dataset.asked = 'yes';
    await attempt(why, async () => explain(why, await ask('explain', {q, document: hit.document})));
  });
}

/** Text in which matches are between two characters that stand in no text. */
function marked(parent, snippet) {
  for (const part of snippet.split(START)) {
    const end = part.indexOf(END);
    if (end >= 0) make(parent, 'mark', {}, part.slice(0, end));
    parent.append(part.slice(end + 1));
  }
}

function explain(parent, found) {
  const columns = [['frequency', 'occurrences'], ['length', 'length'], ['averageLength', 'mean length'], ['tf', 'tf'],
    ['documents', 'documents'], ['idf', 'idf'], ['boost', 'boost']].filter(([name]) => found.parts.some(part => name in part));
  const most = Math.max(1e-9, ...found.parts.map(part => part.value));
  const bar = part => {
    const meter = make(null, 'div', {class: 'meter'});
    meter.style.width = `${100 * part.value / most}%`;
    return meter;
  };
  const lines = found.parts.map(part =>
    [part.clause, bar(part), ...columns.map(([name]) => name in part ? number(part[name]) : ''), part.value.toFixed(4)]);
  lines.push(['sum', '', ...columns.map(() => ''), found.parts.reduce((sum, part) => sum + part.value, 0).toFixed(4)]);
  table(parent, 2, ['clause', '', ...columns.map(c => c[1]), 'contribution'], lines).classList.add('explanation');
  const all = make(parent, 'details');
  make(all, 'summary', {}, 'Lucene\'s explanation');
  tree(make(all, 'ul', {class: 'tree'}), found.lucene);
}

function tree(parent, node) {
  const item = make(parent, 'li', {}, `${number(node.value)} = ${node.description}`);
  if (node.details.length) {
    const below = make(item, 'ul', {class: 'tree'});
    for (const detail of node.details) tree(below, detail);
  }
}

// ---- Terms and postings

async function showTerms(parent, parameters) {
  const fields = withTerms();
  const field = parameters.get('field') || mainField(fields);
  if (!field) {
    section(parent, 'Terms', 'The index has no terms.');
    return;
  }
  const prefix = parameters.get('prefix') || '';
  const node = section(parent, `Terms of ${field}`);
  const controls = make(node, 'div', {class: 'controls'});
  fieldChoice(controls, fields, field, name => to('terms', {field: name, prefix}));
  const typed = make(controls, 'input', {type: 'search', id: 'prefix', 'aria-label': 'Beginning of the terms', placeholder: 'Terms that begin with …', maxlength: 200});
  typed.value = prefix;
  const note = make(node, 'p', {class: 'note', id: 'total'});
  const head = make(node, 'div', {class: 'head term'});
  make(head, 'span', {}, 'term');
  make(head, 'span', {class: 'number'}, 'documents');
  make(head, 'span', {class: 'number'}, 'occurrences');
  const list = new VirtualList(node, {
    label: 'Terms', height: 30, page: 200, at: Number(parameters.get('at')) || 0,
    ask: async (from, count) => {
      const found = await ask('terms', {field, prefix: typed.value, from, size: count});
      return {total: found.total, rows: found.terms};
    },
    draw: (row, term) => {
      row.classList.add('term');
      link(row, to('postings', {field, ...termParameter(term)}), term.term);
      make(row, 'span', {class: 'number'}, whole(term.documents));
      make(row, 'span', {class: 'number'}, whole(term.occurrences));
    },
    counted: total => { note.textContent = plural(total, 'term'); },
    moved: at => keep(to('terms', {field, prefix: typed.value, at})),
    attempt: something => attempt(node, something),
  });
  let wait;
  typed.addEventListener('input', () => {
    clearTimeout(wait);
    wait = setTimeout(() => {
      if (!typed.isConnected) return;
      keep(to('terms', {field, prefix: typed.value}));
      attempt(node, () => list.restart());
    }, 120);
  });
  await list.start();
}

async function showPostings(parent, parameters) {
  const field = parameters.get('field') || '';
  const term = parameters.has('hex') ? {hex: parameters.get('hex')} : {term: parameters.get('term') || ''};
  const text = term.hex || term.term;
  const kind = await ask('postings', {field, ...term, size: 1});
  const node = section(parent, `Postings of '${text}' in ${field}`,
    `${plural(kind.documents, 'document')}, ${kind.isVector ? `weights of ${whole(kind.occurrences)} together` : plural(kind.occurrences, 'occurrence')}`
    + `${kind.exactLengths ? '' : '; lengths are Lucene\'s, up to 11 % too small'}`);
  const links = make(node, 'div', {class: 'pager'});
  link(links, to('terms', {field, prefix: term.hex ? '' : text}), 'terms that begin with this');
  if (!term.hex) link(links, to('search', {q: `${field}:"${text.replaceAll(/["\\]/g, '\\$&')}"`}), 'search');
  const head = make(node, 'div', {class: 'head posting'});
  ['number', 'document', kind.isVector ? 'weight' : 'occurrences', 'length', 'positions'].forEach((name, i) =>
    make(head, 'span', i === 1 || i === 4 ? {} : {class: 'number'}, name));
  const narrow = matchMedia('(max-width: 600px)').matches;
  const list = new VirtualList(node, {
    label: 'Postings', height: narrow ? 72 : 30, page: 100, at: Number(parameters.get('at')) || 0,
    ask: async (from, count) => {
      const found = await ask('postings', {field, ...term, from, size: count});
      return {total: found.documents, rows: found.postings};
    },
    draw: (row, posting) => {
      row.classList.add('posting');
      const occurs = posting.occurrences ?? posting.weight;
      const positions = posting.positions || [];
      make(row, 'span', {class: 'number'}, whole(posting.document));
      link(row, to('document', {n: posting.document}), posting.id ?? nameOf(posting), posting.deleted ? {class: 'deleted'} : {});
      make(row, 'span', {class: 'number'}, whole(occurs));
      make(row, 'span', {class: 'number'}, posting.length === undefined ? '' : whole(posting.length));
      make(row, 'span', {}, positions.join(' ') + (positions.length && positions.length < occurs ? ' …' : ''));
    },
    moved: at => keep(to('postings', {field, ...term, at})),
    attempt: something => attempt(node, something),
  });
  await list.start();
}

/** Gives the current view another address, without a step of the history. */
function keep(address) {
  if (location.hash !== address) history.replaceState(history.state, '', address);
}

// ---- A document

async function showDocument(parent, parameters) {
  const n = Number(parameters.get('n')) || 0;
  const found = await ask('document', {document: n});
  const node = section(parent, nameOf(found));
  make(node, 'p', {class: 'id'}, `${found.id !== undefined ? `${found.id} · ` : ''}document ${whole(n)} of ${whole(found.documents)}${found.deleted ? ' · deleted' : ''}`);
  const pager = make(node, 'form', {class: 'controls'});
  if (n > 0) link(pager, to('document', {n: n - 1}), '← previous', {rel: 'prev'});
  if (n + 1 < found.documents) link(pager, to('document', {n: n + 1}), 'next →', {rel: 'next'});
  const jump = make(pager, 'input', {type: 'number', min: 0, max: found.documents - 1, 'aria-label': 'Number of the document', placeholder: 'Number'});
  pager.addEventListener('submit', event => {
    event.preventDefault();
    if (jump.value !== '') location.hash = to('document', {n: jump.value});
  });
  const about = [
    ...Object.entries(found.columns),
    ...Object.entries(found.lengths).map(([field, length]) => [`length of ${field}`, `${found.exactLengths ? '' : 'about '}${plural(length, 'token')}`]),
  ];
  if (about.length) pairs(section(parent, 'Metadata'), about);
  for (const value of found.stored) {
    const stored = section(parent, value.field, value.text.length < value.characters
      ? `The first ${whole(value.text.length)} of ${whole(value.characters)} characters.` : undefined);
    make(stored, 'pre', {}, value.text);
  }
  if (!found.stored.length) section(parent, 'Stored texts', 'The index stores no texts of this document.');
  for (const field of index.fields.filter(f => found.lengths[f.name] > 0)) showWords(parent, n, field.name);
}

function showWords(parent, n, field) {
  const words = make(section(parent), 'details');
  make(words, 'summary', {}, `Terms of ${field}`);
  words.addEventListener('toggle', async () => {
    if (!words.open || words.dataset.asked) return;
    words.dataset.asked = 'yes';
    await attempt(words, async () => listWords(words, field, await ask('words', {document: n, field})));
  });
}

const ORDERS = {
  term: (a, b) => a.term < b.term ? -1 : 1,
  occurrences: (a, b) => b.occurrences - a.occurrences,
  documents: (a, b) => a.documents - b.documents,
};

function listWords(parent, field, found) {
  const absent = found.absent ? `; ${plural(found.absent, 'term')} of the stored text are not in the index for this document, which another analyzer may have made` : '';
  make(parent, 'p', {class: 'note'}, `${plural(found.distinct, 'distinct term')}, ${plural(found.occurrences, 'occurrence')}${absent}${found.isCut ? '; only the start is shown' : ''}.`);
  const place = make(parent, 'div');
  const draw = order => {
    place.replaceChildren();
    const node = table(place, 1, Object.keys(ORDERS), [...found.terms].sort(ORDERS[order]).map(term =>
      [link(null, to('postings', {field, ...termParameter(term)}), term.term), whole(term.occurrences), whole(term.documents)]));
    node.querySelectorAll('th').forEach(th => {
      const name = th.textContent;
      th.replaceChildren();
      if (name === order) th.setAttribute('aria-sort', name === 'occurrences' ? 'descending' : 'ascending');
      make(th, 'button', {type: 'button'}, name === order ? `${name} ↓` : name).addEventListener('click', () => draw(name));
    });
  };
  draw('occurrences');
}

// ---- Statistics

async function showStatistics(parent, parameters) {
  const fields = withLengths();
  const sizes = make(parent, 'div', {class: 'pair'});
  const files = section(sizes, 'Files');
  meters(files, Object.entries(index.files).sort((a, b) => b[1] - a[1]), size);
  const bits = section(sizes, 'Density');
  pairs(bits, [['bits per posting', number(index.bitsPerPosting)], ['bits per position', number(index.bitsPerPosition)], ['bytes per term', number(index.bytesPerTerm)]]);
  if (index.segments.length) {
    make(bits, 'h2', {}, 'Segments');
    table(bits, 2, ['segment', 'codec', 'documents', 'deleted', 'size'],
      index.segments.map(s => [s.name, s.codec, whole(s.documents), whole(s.deleted), size(s.bytes)]));
  }
  const field = parameters.get('field') || mainField(fields);
  if (!field) return;
  const head = section(parent, `The text of ${field}`, 'Counting all terms; a large index takes a while …');
  const controls = make(head, 'div', {class: 'controls'});
  fieldChoice(controls, fields, field, name => to('statistics', {field: name}));
  const mine = turn;
  const found = await ask('statistics', {field});
  if (mine !== turn) return;
  head.querySelector('.note').textContent = `${whole(found.tokens)} tokens, ${whole(found.postings)} postings.`
    + (found.exactLengths ? '' : ' Lengths and the tokens of Heaps\' law are Lucene\'s, up to 11 % too small.');
  const laws = make(parent, 'div', {class: 'pair'});
  const law = (l, sign) => l ? `${number(l.factor)} ${sign === '+' ? '· tokens^' : '/ rank^'}${l.exponent.toFixed(3)}` : '';
  powerLaw(section(laws, 'Vocabulary (Heaps)', `terms = ${law(found.heaps, '+')}`), 'Distinct terms by tokens read', found.vocabulary.map(([, tokens, terms]) => [tokens, terms]),
    found.heaps && (x => found.heaps.factor * x ** found.heaps.exponent), 'tokens', 'terms');
  powerLaw(section(laws, 'Frequencies (Zipf)', `occurrences = ${law(found.zipf, '-')}`), 'Occurrences of terms by rank', found.ranks,
    found.zipf && (x => found.zipf.factor / x ** found.zipf.exponent), 'rank', 'occurrences');
  const lengths = make(parent, 'div', {class: 'pair'});
  bars(section(lengths, 'Lists', 'Terms by the number of their documents; heights are logarithmic.'), 'Terms by list length', found.byDocuments, {
    log: true, xTitle: 'documents', names: i => `${short(2 ** i)}+`,
    tips: i => `in ${short(2 ** i)} to ${short(2 ** (i + 1) - 1)} documents\n${plural(found.byDocuments[i], 'term')}`,
  });
  const bins = found.lengths.bins;
  bars(section(lengths, 'Documents', `Documents by length: ${whole(found.lengths.least)} to ${whole(found.lengths.most)} tokens, ${number(found.lengths.mean)} on average.`),
    'Documents by length', bins.map(b => b[2]), {
      xTitle: 'tokens', names: i => short(bins[i][0]), tips: i => `${whole(bins[i][0])} to ${whole(bins[i][1])} tokens\n${plural(bins[i][2], 'document')}`,
    });
  table(section(parent, 'Longest lists'), 1, ['term', 'documents', 'occurrences'], found.longest.map(l =>
    [link(null, to('postings', {field, term: l.term}), l.term), whole(l.documents), whole(l.occurrences)]));
}

// ---- Addresses

const VIEWS = {
  index: ['Index', showIndex], search: ['Search', showSearch], terms: ['Terms', showTerms], postings: [null, showPostings],
  document: ['Documents', showDocument], statistics: ['Statistics', showStatistics],
};

function place() {
  const [name, query] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {name: Object.hasOwn(VIEWS, name) ? name : 'index', parameters: new URLSearchParams(query || '')};
}

/** Does something, and shows what went wrong, unless the view was left meanwhile. */
async function attempt(parent, something) {
  parent.querySelector(':scope > [role=alert]')?.remove();
  try {
    await something();
  } catch (e) {
    if (e.name !== 'AbortError') make(parent, 'p', {class: 'error', role: 'alert'}, e.message);
  }
}

async function show() {
  const mine = ++turn;
  leaving.abort();
  leaving = new AbortController();
  const {name, parameters} = place();
  const y = history.state?.y ?? 0;
  navigate(name);
  view.setAttribute('aria-busy', 'true');
  const next = make(null, 'div');
  // Charts and lists need their width, so the new view is in the page while it is drawn.
  view.replaceChildren(next);
  await attempt(next, () => VIEWS[name][1](next, parameters));
  if (mine !== turn) return;
  document.title = `${view.querySelector('h2')?.textContent ?? 'Index'} – ${index.path.split('/').filter(Boolean).pop()}`;
  view.removeAttribute('aria-busy');
  scrollTo(0, y);
  view.dataset.shown = location.hash;
}

function navigate(name) {
  const nav = document.getElementById('views');
  nav.replaceChildren();
  for (const [key, [title]] of Object.entries(VIEWS)) {
    const address = key === 'search' && box.value ? to('search', {q: box.value}) : to(key);
    if (title) link(nav, address, title, key === name ? {'aria-current': 'page'} : {});
  }
  if (index.hasReport) link(nav, '/report', 'Build report');
}

function keys(event) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === '/' && !typing) {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (event.key === 'Escape' && typing) {
    document.activeElement.blur();
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && (!typing || document.activeElement === box)) {
    const rows = [...view.querySelectorAll('a.row')];
    const at = rows.indexOf(document.activeElement);
    const next = rows[event.key === 'ArrowDown' ? at + 1 : at - 1];
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (event.key === 'ArrowUp' && at === 0) {
      event.preventDefault();
      box.focus();
    }
  }
}

async function start() {
  document.getElementById('search').addEventListener('submit', event => {
    event.preventDefault();
    const address = to('search', {q: box.value});
    if (location.hash === address) show();
    else location.hash = address;
  });
  try {
    index = await ask('index');
  } catch (e) {
    make(view, 'p', {class: 'error', role: 'alert'}, e.message);
    return;
  }
  document.getElementById('name').textContent = index.path.split('/').filter(Boolean).pop() || index.path;
  document.getElementById('kind').textContent = `${index.kind} · ${index.path} · ${plural(index.documents - index.deleted, 'document')}`;
  history.scrollRestoration = 'manual';
  let rest;
  addEventListener('scroll', () => {
    clearTimeout(rest);
    // While a view is drawn, the page is short, and scrolls for that reason alone.
    if (!view.hasAttribute('aria-busy')) rest = setTimeout(() => history.replaceState({y: scrollY}, ''), 100);
  });
  addEventListener('hashchange', () => {
    clearTimeout(rest);
    show();
  });
  // Charts are drawn for the width of the page, so that their text keeps its size.
  let width = view.clientWidth;
  addEventListener('resize', () => {
    if (view.clientWidth !== width && place().name === 'statistics') show();
    width = view.clientWidth;
  });
  addEventListener('keydown', keys);
  await show();
}

start();
