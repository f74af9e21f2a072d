import {make} from '/charts.js';

/** No browser draws elements that are much higher; a longer list scrolls faster than its rows. */
const HIGHEST = 12_000_000;
const KEPT_PAGES = 40;

/** A list of any length, of which only the rows in sight exist. Pages of rows are asked for. */
export class VirtualList {
  #options;
  #scroll;
  #rows;
  #pages = new Map();
  #asked = new Set();
  #total = 0;
  #active;
  #round = 0;
  #timer;

  constructor(parent, options) {
    this.#options = options;
    this.#active = options.at;
    this.#scroll = make(parent, 'div', {class: 'scroll', tabindex: 0, role: 'list', 'aria-label': options.label});
    this.#rows = make(this.#scroll, 'div', {class: 'rows'});
    this.#scroll.addEventListener('scroll', () => this.#scrolled());
    new ResizeObserver(() => options.attempt(() => this.#fill())).observe(this.#scroll);
    this.#scroll.addEventListener('keydown', event => this.#key(event));
  }

  /** Shows the rows around the one at which the list starts. */
  async start() {
    await this.#load(this.#pageOf(this.#active));
    this.#active = Math.max(0, Math.min(this.#active, this.#total - 1));
    this.#resize();
    if (this.#active > 0) this.#reveal(true);
    this.#draw();
  }

  /** Asks again, for other rows. */
  async restart() {
    this.#round++;
    this.#pages.clear();
    this.#asked.clear();
    this.#active = 0;
    this.#scroll.scrollTop = 0;
    await this.start();
  }

  #pageOf(row) {
    return Math.floor(row / this.#options.page);
  }

  async #load(page) {
    if (this.#pages.has(page) || this.#asked.has(page)) return;
    this.#asked.add(page);
    const round = this.#round;
    try {
      const found = await this.#options.ask(page * this.#options.page, this.#options.page);
      if (round !== this.#round) return;
      this.#total = found.total;
      this.#options.counted?.(found.total);
      this.#pages.set(page, found.rows);
      while (this.#pages.size > KEPT_PAGES) this.#pages.delete(this.#pages.keys().next().value);
    } finally {
      this.#asked.delete(page);
    }
  }

  get #height() {
    return Math.min(HIGHEST, this.#total * this.#options.height);
  }

  #resize() {
    this.#rows.style.height = `${this.#height}px`;
  }

  get #inSight() {
    return this.#scroll.clientHeight / this.#options.height;
  }

  /** The first row in sight, with a fraction, from how far the list is scrolled. */
  get #first() {
    const hidden = Math.max(1, this.#height - this.#scroll.clientHeight);
    return this.#scroll.scrollTop / hidden * Math.max(0, this.#total - this.#inSight);
  }

  #scrollTo(first) {
    const hidden = Math.max(1, this.#height - this.#scroll.clientHeight);
    this.#scroll.scrollTop = first / Math.max(1, this.#total - this.#inSight) * hidden;
  }

  /** Scrolls the active row into sight. */
  #reveal(toTop = false) {
    const first = this.#first;
    if (toTop || this.#active < first) this.#scrollTo(this.#active);
    else if (this.#active + 1 > first + this.#inSight) this.#scrollTo(this.#active + 1 - this.#inSight);
  }

  #scrolled() {
    this.#draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const from = Math.floor(this.#first);
      if (!this.#scroll.isConnected) return;
      this.#options.moved(from);
      await this.#options.attempt(() => this.#fill());
    }, 60);
  }

  /** Asks for the pages in sight; a fast scroll passes others without asking. */
  async #fill() {
    if (this.#total === 0) return;
    const first = this.#pageOf(Math.max(0, Math.floor(this.#first)));
    const last = this.#pageOf(Math.min(this.#total - 1, Math.ceil(this.#first + this.#inSight)));
    for (let page = first; page <= last; page++) await this.#load(page);
    this.#draw();
  }

  #draw() {
    const {height, page, draw} = this.#options;
    const first = this.#first;
    const from = Math.floor(first);
    const to = Math.min(this.#total, Math.ceil(first + this.#inSight) + 1);
    const hadFocus = this.#rows.contains(document.activeElement);
    this.#rows.replaceChildren();
    for (let i = from; i < to; i++) {
      const row = make(this.#rows, 'div', {class: 'line', role: 'listitem', 'data-row': i, 'aria-posinset': i + 1, 'aria-setsize': this.#total});
      row.style.height = `${height}px`;
      row.style.top = `${this.#scroll.scrollTop + (i - first) * height}px`;
      row.classList.toggle('active', i === this.#active);
      const found = this.#pages.get(this.#pageOf(i))?.[i % page];
      if (found) draw(row, found);
      else make(row, 'span', {}, '…');
    }
    // The link with the focus is gone; the list still takes keys.
    if (hadFocus) this.#scroll.focus({preventScroll: true});
  }

  #key(event) {
    const step = Math.max(1, Math.floor(this.#inSight) - 1);
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: step, PageUp: -step, Home: -Infinity, End: Infinity};
    if (event.key in moves) {
      event.preventDefault();
      event.stopPropagation();
      const first = Math.floor(this.#first);
      if (this.#active < first || this.#active > first + this.#inSight) this.#active = first;
      this.#active = Math.max(0, Math.min(this.#total - 1, this.#active + moves[event.key]));
      this.#reveal();
      this.#draw();
    } else if (event.key === 'Enter' && event.target === this.#scroll) {
      this.#rows.querySelector('.active a')?.click();
    }
  }
}
