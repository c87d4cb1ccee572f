/** `URL` and `URLSearchParams` of the guest. The host parses: its implementation is the standard's. */
export const GUEST_URL = String.raw`(function (host, define) {
  'use strict';
  const { parse, stringify } = JSON;
  const PARTS = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];

  class URLSearchParams {
    #pairs = [];
    #changed = () => undefined;
    constructor(init = '') {
      if (typeof init === 'object' && init !== null) {
        const entries = Symbol.iterator in init ? [...init] : Object.entries(init);
        this.#pairs = entries.map(([key, value]) => [String(key), String(value)]);
      } else this.#pairs = parse(host.queryPairs(String(init)));
    }
    static follow(search, changed) {
      const params = new URLSearchParams(search);
      params.#changed = changed;
      return params;
    }
    static replace(params, search) { params.#pairs = parse(host.queryPairs(search)); }
    #set(pairs) { this.#pairs = pairs; this.#changed(this.toString()); }
    get size() { return this.#pairs.length; }
    append(name, value) { this.#set([...this.#pairs, [String(name), String(value)]]); }
    delete(name, value) { this.#set(this.#pairs.filter((pair) => !(pair[0] === String(name) && (value === undefined || pair[1] === String(value))))); }
    get(name) { return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null; }
    getAll(name) { return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]); }
    has(name, value) { return this.#pairs.some((pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value))); }
    set(name, value) {
      const at = this.#pairs.findIndex((pair) => pair[0] === String(name));
      if (at < 0) { this.append(name, value); return; }
      this.#set(this.#pairs.filter((pair, index) => index <= at || pair[0] !== String(name)).map((pair, index) => (index === at ? [pair[0], String(value)] : pair)));
    }
    sort() { this.#set([...this.#pairs].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))); }
    forEach(visit, self) { for (const [key, value] of this.#pairs) visit.call(self, value, key, this); }
    *keys() { for (const [key] of this.#pairs) yield key; }
    *values() { for (const [, value] of this.#pairs) yield value; }
    *entries() { for (const [key, value] of this.#pairs) yield [key, value]; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return host.queryText(stringify(this.#pairs)); }
  }
  const { follow, replace } = URLSearchParams;
  delete URLSearchParams.follow;
  delete URLSearchParams.replace;

  class URL {
    #parts;
    #params;
    constructor(url, base) {
      const text = host.urlParts(String(url), base === undefined ? '' : String(base));
      if (text === '') throw new TypeError('Invalid URL');
      this.#parts = parse(text);
      this.#params = follow(this.#parts.search, (search) => { this.#parts = parse(host.urlWith(this.#parts.href, 'search', search)); });
    }
    static canParse(url, base) { return host.urlParts(String(url), base === undefined ? '' : String(base)) !== ''; }
    static parse(url, base) { return URL.canParse(url, base) ? new URL(url, base) : null; }
    get origin() { return this.#parts.origin; }
    get searchParams() { return this.#params; }
    toString() { return this.#parts.href; }
    toJSON() { return this.#parts.href; }
    static read(url, part) { return url.#parts[part]; }
    static write(url, part, value) {
      const text = host.urlWith(url.#parts.href, part, value);
      if (text === '') throw new TypeError('Invalid URL');
      url.#parts = parse(text);
      replace(url.#params, url.#parts.search);
    }
  }
  const { read, write } = URL;
  delete URL.read;
  delete URL.write;
  for (const part of PARTS) {
    Object.defineProperty(URL.prototype, part, {
      get() { return read(this, part); },
      set(value) { write(this, part, String(value)); },
      enumerable: true,
      configurable: true,
    });
  }
  define(globalThis, 'URL', URL);
  define(globalThis, 'URLSearchParams', URLSearchParams);
})`;
