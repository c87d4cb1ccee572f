/** Under this registered symbol the isolate keeps what the host calls; it is found again after a restore. */
export const RUNTIME_SYMBOL = 'plugboard.isolate';

/**
 * What the guest finds beside the language. It runs inside of the isolate, so nothing here is trusted: the host
 * functions that it wraps accept anything.
 */
export const GUEST_RUNTIME = String.raw`(function (host, define) {
  'use strict';
  const { apply } = Reflect;
  const { create, freeze, defineProperty } = Object;
  const dateNow = Date.now;
  const dateText = Date.prototype.toISOString;
  const regexText = RegExp.prototype.toString;
  const stackText = Object.getOwnPropertyDescriptor(Error.prototype, 'stack').get;
  const mapEach = Map.prototype.forEach;
  const setEach = Set.prototype.forEach;
  const append = (list, value) =>
    defineProperty(list, list.length, { value, writable: true, enumerable: true, configurable: true });

  const { log, info, warn, error, debug } = host;
  const counts = create(null);
  define(globalThis, 'console', {
    log, info, warn, error, debug,
    trace: debug, dir: log, table: log, group: log, groupCollapsed: log,
    groupEnd() {},
    assert(holds, ...rest) { if (!holds) error('Assertion failed', ...rest); },
    count(label = 'default') { counts[label] = (counts[label] ?? 0) + 1; log(label + ': ' + counts[label]); },
  });

  const ask = (answer) => { if (typeof answer === 'string') throw new Error(answer); return answer; };
  define(globalThis, 'files', freeze({
    list: () => host.fileNames(),
    exists: (name) => host.fileExists(name),
    read: (name) => ask(host.fileRead(name)),
    readText: (name) => host.decodeText(ask(host.fileRead(name))),
    write: (name, data) => { ask(host.fileWrite(name, data)); },
    remove: (name) => host.fileRemove(name),
  }));

  let timers = [];
  let lastTimer = 0;
  const start = (callback, delay, args, every) => {
    if (typeof callback !== 'function') throw new TypeError('The callback must be a function.');
    const wait = delay >= 1 ? +delay : every ? 1 : 0;
    lastTimer += 1;
    append(timers, { id: lastTimer, due: dateNow() + wait, wait, every, callback, args });
    return lastTimer;
  };
  const clear = (id) => {
    const kept = [];
    for (let i = 0; i < timers.length; i += 1) if (timers[i].id !== id) append(kept, timers[i]);
    timers = kept;
  };
  const earliest = () => {
    let first;
    for (let i = 0; i < timers.length; i += 1) if (first === undefined || timers[i].due < first.due) first = timers[i];
    return first;
  };
  define(globalThis, 'setTimeout', (callback, delay, ...args) => start(callback, delay, args, false));
  define(globalThis, 'setInterval', (callback, delay, ...args) => start(callback, delay, args, true));
  define(globalThis, 'clearTimeout', clear);
  define(globalThis, 'clearInterval', clear);

  const { get: mapGet, set: mapSet, delete: mapDelete } = Map.prototype;
  const waiting = new Map();
  let lastCall = 0;
  const callHost = (question) => new Promise((resolve, reject) => {
    lastCall += 1;
    if (!host.startCall(lastCall, String(question))) { reject(new Error('This run may not call the host, or called it too often.')); return; }
    apply(mapSet, waiting, [lastCall, resolve]);
  });

  const runtime = {
    callHost,
    deliver: (id, answer) => {
      const resolve = apply(mapGet, waiting, [id]);
      apply(mapDelete, waiting, [id]);
      if (resolve !== undefined) resolve(answer);
    },
    untilTimer: () => { const first = earliest(); return first === undefined ? -1 : Math.max(0, first.due - dateNow()); },
    fireTimer: () => {
      const timer = earliest();
      if (timer === undefined) return;
      if (timer.every) timer.due = dateNow() + timer.wait;
      else clear(timer.id);
      apply(timer.callback, undefined, timer.args);
    },
    dropTimers: () => { timers = []; },
    dateText: (date) => { try { return apply(dateText, date, []); } catch { return 'Invalid Date'; } },
    stackText: (error) => apply(stackText, error, []),
    regexText: (regex) => apply(regexText, regex, []),
    entries: (map) => { const list = []; apply(mapEach, map, [(value, key) => append(list, [key, value])]); return list; },
    members: (set) => { const list = []; apply(setEach, set, [(value) => append(list, value)]); return list; },
  };
  defineProperty(globalThis, Symbol.for('plugboard.isolate'), { value: freeze(runtime) });
})`;
