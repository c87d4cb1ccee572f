/** `Intl` of the guest: the engine has none. The host formats with its own; only texts and numbers cross. */
export const GUEST_INTL = String.raw`(function (host, define) {
  'use strict';
  const { parse, stringify } = JSON;
  const plain = (value) => {
    if (value instanceof Date) return { date: value.getTime() };
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
    return value;
  };
  const ask = (request) => {
    const { error, value } = parse(host.intl(stringify(request)));
    if (error !== undefined) throw new RangeError(error);
    return value;
  };
  const formatter = (kind, methods, bound = []) => {
    const Formatter = class {
      #locales;
      #options;
      constructor(locales, options) {
        this.#locales = locales;
        this.#options = options;
        ask({ kind, locales, options, method: 'resolvedOptions', args: [] });
        for (const method of bound) define(this, method, (...args) => Formatter.prototype.call.apply(this, [method, ...args]));
      }
      call(method, ...args) { return ask({ kind, locales: this.#locales, options: this.#options, method, args: args.map(plain) }); }
      resolvedOptions() { return this.call('resolvedOptions'); }
      static supportedLocalesOf(locales) { return ask({ kind, method: 'supportedLocalesOf', locales, args: [] }); }
    };
    for (const method of methods) define(Formatter.prototype, method, function (...args) { return this.call(method, ...args); });
    define(Formatter, 'name', kind);
    return Formatter;
  };
  const kinds = {
    NumberFormat: formatter('NumberFormat', ['formatToParts', 'formatRange'], ['format']),
    DateTimeFormat: formatter('DateTimeFormat', ['formatToParts', 'formatRange'], ['format']),
    PluralRules: formatter('PluralRules', ['select']),
    RelativeTimeFormat: formatter('RelativeTimeFormat', ['format', 'formatToParts']),
    ListFormat: formatter('ListFormat', ['format', 'formatToParts']),
    Collator: formatter('Collator', [], ['compare']),
    DisplayNames: formatter('DisplayNames', ['of']),
    Segmenter: formatter('Segmenter', ['segment']),
  };
  // Without a date, a format means now.
  const { call } = kinds.DateTimeFormat.prototype;
  define(kinds.DateTimeFormat.prototype, 'call', function (method, ...args) {
    return call.apply(this, [method, ...(method.startsWith('format') && args[0] === undefined ? [new Date()] : args)]);
  });
  define(globalThis, 'Intl', { ...kinds, getCanonicalLocales: (locales) => ask({ kind: 'Intl', method: 'getCanonicalLocales', locales, args: [] }) });
  const { NumberFormat, DateTimeFormat, Collator } = kinds;
  define(Number.prototype, 'toLocaleString', function (locales, options) { return new NumberFormat(locales, options).format(+this); });
  define(BigInt.prototype, 'toLocaleString', function (locales, options) { return new NumberFormat(locales, options).format(BigInt(this)); });
  const dated = (defaults) => function (locales, options) { return new DateTimeFormat(locales, { ...defaults(options ?? {}), ...options }).format(this); };
  const FIELDS = ['weekday', 'year', 'month', 'day', 'hour', 'minute', 'second', 'dateStyle', 'timeStyle', 'dayPeriod', 'fractionalSecondDigits'];
  const unless = (fields) => (options) => (FIELDS.some((name) => options[name] !== undefined) ? {} : fields);
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' };
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' };
  define(Date.prototype, 'toLocaleString', dated(unless({ ...date, ...time })));
  define(Date.prototype, 'toLocaleDateString', dated(unless(date)));
  define(Date.prototype, 'toLocaleTimeString', dated(unless(time)));
  define(String.prototype, 'localeCompare', function (other, locales, options) { return new Collator(locales, options).compare(String(this), String(other)); });
})`;
