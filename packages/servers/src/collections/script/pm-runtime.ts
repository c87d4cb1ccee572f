/**
 * What a script finds under `pm`, inside of the isolate. `pm.expect` is chai; the rest is a part of what Postman
 * offers, written anew: nothing here can reach anything.
 */
export const PM_RUNTIME = String.raw`
// chai announces plug-ins as events; nobody listens here.
globalThis.EventTarget = class { dispatchEvent() { return true } };
globalThis.Event = class { constructor(type) { this.type = type } };
const chai = await import('chai');
delete globalThis.EventTarget;
delete globalThis.Event;
(() => {
  'use strict';
  const responses = new WeakSet();
  const isResponse = (value) => typeof value === 'object' && value !== null && responses.has(value);

  chai.use(({ Assertion }) => {
    const range = (low, high) => (code) => code >= low && code <= high;
    const families = {
      info: range(100, 199), success: range(200, 299), redirection: range(300, 399),
      clientError: range(400, 499), serverError: range(500, 599), error: range(400, 599),
      accepted: range(202, 202), badRequest: range(400, 400), unauthorized: range(401, 401),
      forbidden: range(403, 403), notFound: range(404, 404), rateLimited: range(429, 429),
    };
    for (const [name, holds] of Object.entries(families)) {
      Assertion.addProperty(name, function () {
        const { code } = this._obj;
        this.assert(holds(code), 'expected response to be ' + name + ' but got ' + code, 'expected response not to be ' + name);
      });
    }
    Assertion.overwriteProperty('ok', (original) => function () {
      if (!isResponse(this._obj)) return original.call(this);
      const { code } = this._obj;
      this.assert(code >= 200 && code <= 299, 'expected response to be ok but got ' + code, 'expected response not to be ok');
    });
    Assertion.addProperty('json', function () {
      let holds = true;
      try { this._obj.json(); } catch { holds = false; }
      this.assert(holds, 'expected response to have a JSON body', 'expected response not to have a JSON body');
    });
    Assertion.addProperty('withBody', function () {
      this.assert(this._obj.text() !== '', 'expected response to have a body', 'expected response to have no body');
    });
    Assertion.addMethod('status', function (expected) {
      const { code, status } = this._obj;
      const actual = typeof expected === 'number' ? code : status;
      this.assert(actual === expected, 'expected response to have status ' + expected + ' but got ' + actual, 'expected response not to have status ' + expected);
    });
    Assertion.addMethod('header', function (name, ...values) {
      const actual = this._obj.headers.get(name);
      const holds = actual !== undefined && (values.length === 0 || actual === String(values[0]));
      const wanted = name + (values.length === 0 ? '' : ': ' + values[0]);
      this.assert(holds, 'expected response to have header ' + wanted + (actual === undefined ? '' : ' but got ' + actual), 'expected response not to have header ' + wanted);
    });
    Assertion.addMethod('body', function (expected) {
      const text = this._obj.text();
      const holds = expected === undefined ? text !== '' : expected instanceof RegExp ? expected.test(text) : text === String(expected);
      this.assert(holds, 'expected response to have the given body', 'expected response not to have the given body');
    });
    Assertion.addMethod('jsonBody', function (path, ...values) {
      const json = this._obj.json();
      if (path === undefined) return;
      if (typeof path === 'object') { chai.expect(json).to.deep.equal(path); return; }
      const nested = chai.expect(json).to.have.nested;
      nested.property(path, ...values);
    });
  });

  const keep = { globals: {}, collection: {}, environment: {}, local: {} };
  const assertions = [];
  const pending = [];
  const text = (value) => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value) ?? String(value));
  const everything = () => ({ ...keep.globals, ...keep.collection, ...keep.environment, ...keep.local });
  const fill = (value) => String(value).replace(/\{\{([^{}]+)\}\}/g, (whole, name) => everything()[name] ?? whole);
  const scope = (name, read = () => keep[name]) => ({
    get: (key) => (Object.hasOwn(read(), key) ? read()[key] : undefined),
    has: (key) => Object.hasOwn(read(), key),
    set: (key, value) => { keep[name][String(key)] = text(value); },
    unset: (key) => { delete keep[name][key]; },
    clear: () => { keep[name] = {}; },
    toObject: () => ({ ...read() }),
    replaceIn: fill,
  });
  const headerList = (pairs) => ({
    get: (name) => pairs.find(({ key }) => key.toLowerCase() === String(name).toLowerCase())?.value,
    has: (name) => pairs.some(({ key }) => key.toLowerCase() === String(name).toLowerCase()),
    all: () => pairs.map((pair) => ({ ...pair })),
    toObject: () => Object.fromEntries(pairs.map(({ key, value }) => [key, value])),
    each: (visit) => pairs.forEach((pair) => visit({ ...pair })),
  });
  const record = (name, passed, message) => assertions.push({ name: String(name), passed, ...(message === undefined ? {} : { message: String(message) }) });
  const reason = (error) => (error !== null && typeof error === 'object' && 'message' in error ? error.message : error);
  const test = (name, check) => {
    const fail = (error) => record(name, false, reason(error));
    try {
      if (typeof check !== 'function') return record(name, false, 'The test has no function.');
      if (check.length > 0) {
        return pending.push(new Promise((done) => check((error) => done(error))).then((error) => (error ? fail(error) : record(name, true)), fail));
      }
      const outcome = check();
      if (outcome !== null && typeof outcome === 'object' && typeof outcome.then === 'function') pending.push(outcome.then(() => record(name, true), fail));
      else record(name, true);
    } catch (error) { fail(error); }
    return pm;
  };
  test.skip = () => pm;
  const unsupported = (name) => () => { throw new Error(name + ' is not available here.'); };
  const responseOf = (data) => {
    const response = {
      code: data.code, status: data.status, responseTime: data.timeMs, responseSize: data.size,
      headers: headerList(data.headers),
      text: () => data.body,
      json: () => JSON.parse(data.body),
      reason: () => data.status,
      get to() { return chai.expect(response); },
    };
    responses.add(response);
    return response;
  };

  const legacy = {};
  const pm = {
    test, expect: chai.expect,
    globals: scope('globals'), collectionVariables: scope('collection'), environment: scope('environment'),
    variables: scope('local', everything), iterationData: scope('local'),
    sendRequest: unsupported('pm.sendRequest'),
    execution: { setNextRequest: unsupported('pm.execution.setNextRequest'), skipRequest: unsupported('pm.execution.skipRequest') },
  };
  const begin = (context) => {
    Object.assign(keep, context.scopes);
    pm.info = context.info;
    pm.request = {
      method: context.request.method,
      url: { toString: () => context.request.url },
      headers: headerList(context.request.headers),
      body: context.request.body === undefined ? undefined : { raw: context.request.body, toString: () => context.request.body },
    };
    if (context.response !== undefined) {
      pm.response = responseOf(context.response);
      Object.assign(globalThis, { responseBody: context.response.body, responseTime: context.response.timeMs, responseCode: { code: context.response.code, name: context.response.status } });
    }
  };
  const report = () => {
    for (const [name, passed] of Object.entries(legacy)) record(name, Boolean(passed));
    return { assertions, scopes: keep };
  };
  const put = (name, value) => Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
  put('pm', pm);
  put('tests', legacy);
  put('postman', {
    setEnvironmentVariable: pm.environment.set, getEnvironmentVariable: pm.environment.get, clearEnvironmentVariable: pm.environment.unset,
    setGlobalVariable: pm.globals.set, getGlobalVariable: pm.globals.get, clearGlobalVariable: pm.globals.unset,
    setNextRequest: unsupported('postman.setNextRequest'),
  });
  put('__plugboard', Object.freeze({ begin, report }));
})();
undefined`;
