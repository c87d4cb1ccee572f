/** How the host reaches the bridge: the symbol is registered, so it is found again after a restore. */
export const BRIDGE = `this[Symbol.for('plugboard.postman')]`;

/**
 * The bridge that Postman's script sandbox speaks through, inside of the isolate. What it reports is collected for the
 * end of the run; what it asks (requests, cookies) goes to the host. The boot code deletes most globals, so everything
 * is kept in closures.
 */
export const GUEST_BRIDGE = String.raw`(() => {
  'use strict';
  const { callHost } = globalThis[Symbol.for('plugboard.isolate')];
  const { stringify, parse } = JSON;
  const listeners = new Map();
  let seen;
  const reset = () => { seen = { assertions: [], errors: [], result: null, skipped: false }; };
  reset();

  const plainError = (error) => ({ name: String(error.name), message: String(error.message) });
  const text = (value) => stringify(value, (key, member) => (member instanceof Error ? plainError(member) : member));
  const emit = (name, ...args) => { for (const listener of [...(listeners.get(name) ?? [])]) listener.apply(bridge, args); };

  const ask = async (question, replyTo) => {
    let answer;
    try { answer = parse(await callHost(text(question))); }
    catch { answer = { error: 'The request could not be made.' }; }
    const { error, values = [] } = answer;
    emit(replyTo, question.eventId, error === undefined ? null : new Error(error), ...values);
  };

  const PREFIXES = {
    'execution.result.': (id, [error, execution]) => {
      if (error) seen.errors.push(plainError(error));
      seen.result = parse(text(execution));
    },
    'execution.request.': (id, [, , eventId, request]) => ask({ kind: 'request', eventId, request }, 'execution.response.' + id),
    'execution.cookies.': (id, [eventId, , method, args]) => ask({ kind: 'cookies', eventId, method, args }, 'execution.cookies.' + id),
    'execution.vault.': (id, [eventId]) => ask({ kind: 'unsupported', eventId, name: 'pm.vault' }, 'execution.vault.' + id),
    'execution.datasets.': (id, [eventId]) => ask({ kind: 'unsupported', eventId, name: 'pm.datasets' }, 'execution.datasets.' + id),
    'execution.run_collection_request.': (id, [, , eventId]) =>
      ask({ kind: 'unsupported', eventId, name: 'pm.execution.runRequest' }, 'execution.run_collection_request_response.' + id),
    'execution.skipRequest.': () => { seen.skipped = true; },
  };
  const dispatch = (name, ...args) => {
    if (name === 'execution.assertion') { seen.assertions.push(...parse(text(args[1]))); return; }
    if (name === 'execution.error') { seen.errors.push(parse(text(args[1])) ?? {}); return; }
    const prefix = Object.keys(PREFIXES).find((one) => name.startsWith(one));
    if (prefix !== undefined) PREFIXES[prefix](name.slice(prefix.length), args);
  };

  const bridge = {
    emit, dispatch,
    listeners: (name) => listeners.get(name) ?? [],
    on: (name, listener) => { listeners.set(name, [...(listeners.get(name) ?? []), listener]); },
    once: (name, listener) => {
      const first = (...args) => { bridge.off(name, first); listener.apply(bridge, args); };
      bridge.on(name, first);
    },
    off: (name, listener) => {
      const kept = listener === undefined ? [] : (listeners.get(name) ?? []).filter((one) => one !== listener);
      if (kept.length === 0) listeners.delete(name); else listeners.set(name, kept);
    },
  };
  globalThis.bridge = bridge;

  // Named by the boot code, used by nobody here.
  globalThis.File ??= class File {};
  globalThis.Blob ??= class Blob {};
  globalThis.__uvm_setTimeout = setTimeout;
  Object.defineProperty(globalThis, Symbol.for('plugboard.postman'), {
    value: Object.freeze({
      initialize: () => emit('initialize', {}),
      execute: (order) => { reset(); const { id, event, context, options } = parse(order); emit('execute', id, event, context, options); },
      report: () => text(seen),
    }),
  });
})();`;
