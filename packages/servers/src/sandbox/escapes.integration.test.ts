import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './isolate/isolate-limits.js';
import { DEFAULT_SETTINGS } from './run/sandbox-settings.js';
import { Sandbox, type RunResult } from './run/sandbox.js';

// Generous where a run must come to its end on a busy machine; what must be stopped by time gets less, below.
const limits = { ...DEFAULT_LIMITS, cpuMs: 20_000, timeMs: 30_000, memoryBytes: 16 * 1024 * 1024, outputBytes: 20_000 };
const owner = undefined;
const TIGHT = { CPU_LIMIT: { cpuMs: 120 }, TIME_LIMIT: { timeMs: 500 } } as const;
const limitsOf = (end: object): Partial<typeof limits> =>
  'stopped' in end && (end.stopped === 'CPU_LIMIT' || end.stopped === 'TIME_LIMIT') ? TIGHT[end.stopped] : {};

interface Attempt {
  readonly name: string;
  readonly code: string;
  /** The value that the code ends with, or the code of its stop, or a part of the error that it throws. */
  readonly ends: { readonly value: unknown } | { readonly stopped: string } | { readonly throws: RegExp };
}

/** Code that reports what an expression is, and `absent` when it is nothing or cannot be reached. */
const probe = (expression: string): string =>
  `(() => { try { return typeof (${expression}) } catch { return 'absent' } })()`;

const ATTEMPTS: readonly Attempt[] = [
  // The host through its globals.
  { name: 'process', code: probe('process'), ends: { value: 'undefined' } },
  { name: 'require', code: probe('require'), ends: { value: 'undefined' } },
  {
    name: 'module and exports',
    code: `[${probe('module')}, ${probe('exports')}, ${probe('__dirname')}]`,
    ends: { value: ['undefined', 'undefined', 'undefined'] },
  },
  {
    name: 'fetch, XMLHttpRequest, WebSocket, EventSource',
    code: `[${['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].map(probe).join(', ')}]`,
    ends: { value: ['undefined', 'undefined', 'undefined', 'undefined'] },
  },
  {
    name: 'Deno, Bun, global, window, self',
    code: `[${['Deno', 'Bun', 'global', 'window', 'self'].map(probe).join(', ')}]`,
    ends: { value: ['undefined', 'undefined', 'undefined', 'undefined', 'undefined'] },
  },
  { name: 'WebAssembly', code: probe('WebAssembly'), ends: { value: 'undefined' } },
  {
    name: 'Atomics.wait to block the thread',
    code: probe('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
    ends: { value: 'absent' },
  },
  {
    name: 'std and os modules of the engine',
    code: `[${['std', 'os', 'bjson', 'scriptArgs', 'print', 'load'].map(probe).join(', ')}]`,
    ends: { value: Array.from({ length: 6 }, () => 'undefined') },
  },
  {
    name: 'a walk over every object that can be reached from globalThis',
    code: `const seen = new Set(); const todo = [globalThis]; const found = [];
      while (todo.length > 0) {
        const at = todo.pop();
        if ((typeof at !== 'object' && typeof at !== 'function') || at === null || seen.has(at)) continue;
        seen.add(at);
        for (const key of Reflect.ownKeys(at)) {
          if (/^(?:process|require|mainModule|binding|child_process|fs|net|constructor_host)$/.test(String(key))) found.push(String(key));
          const property = Object.getOwnPropertyDescriptor(at, key);
          todo.push(property.value, property.get, property.set, Object.getPrototypeOf(at));
        }
      }
      [found, seen.size > 500]`,
    ends: { value: [[], true] },
  },
  // The host through constructors.
  {
    name: 'constructor.constructor',
    code: `({}).constructor.constructor('return typeof process')()`,
    ends: { value: 'undefined' },
  },
  {
    name: 'Function of a host function',
    code: `console.log.constructor('return typeof process + typeof require')()`,
    ends: { value: 'undefinedundefined' },
  },
  {
    name: 'async and generator function constructors',
    code: `await Object.getPrototypeOf(async () => 0).constructor('return typeof process')()`,
    ends: { value: 'undefined' },
  },
  { name: 'indirect eval', code: `(0, eval)('this === globalThis && typeof process')`, ends: { value: 'undefined' } },
  {
    name: 'this of a sloppy function',
    code: `(function () { return typeof this.process })()`,
    ends: { value: 'undefined' },
  },
  {
    name: 'the caller of a callback of the host',
    code: `let r = 'none'; setTimeout(function f() { try { r = typeof f.caller + typeof arguments.callee.caller } catch { r = 'refused' } }, 0); await new Promise((done) => setTimeout(done, 1)); r`,
    ends: { value: 'undefinedundefined' },
  },
  // Modules.
  { name: 'import()', code: `await import('node:fs')`, ends: { throws: /There is no module/u } },
  {
    name: 'import() of a data URL',
    code: `await import('data:text/javascript,export default 1')`,
    ends: { throws: /There is no module/u },
  },
  {
    name: 'import() of a path',
    code: `await Promise.any(['../isolate/evaluate.js', './lodash.js', '/etc/passwd', 'lodash/../../../package.json', '__proto__', 'constructor'].map((name) => import(name)))`,
    ends: { throws: /AggregateError/u },
  },
  // The host through what it computes for the guest.
  {
    name: 'the host of Intl',
    code: `[() => new Intl.NumberFormat('en', { __proto__: { style: 'x' } }).call('constructor', 'return process'), () => new Intl.DateTimeFormat('en', { get timeZone() { throw new Error('mine') } }).format(0), () => Intl.constructor.constructor('return process')()].map((f) => { try { return typeof f() } catch (error) { return error.name } })`,
    ends: { value: ['RangeError', 'Error', 'ReferenceError'] },
  },
  {
    name: 'callHost without permission',
    code: `try { await globalThis[Symbol.for('plugboard.isolate')].callHost('{}') } catch (error) { error.message }`,
    ends: { value: 'This run may not call the host, or called it too often.' },
  },
  { name: 'an import statement', code: `import fs from 'node:fs'; fs`, ends: { throws: /./u } },
  { name: 'import.meta', code: `import.meta.url`, ends: { throws: /./u } },
  // Prototypes.
  {
    name: 'prototype pollution',
    code: `Object.prototype.polluted = 1; Array.prototype.polluted = 1; Function.prototype.polluted = 1; ({}).polluted`,
    ends: { value: 1 },
  },
  {
    name: '__proto__ of a host function',
    code: `console.log.__proto__.polluted = 1; files.list().__proto__.polluted = 1; files.read.__proto__.polluted`,
    ends: { value: 1 },
  },
  {
    name: 'replaced builtins under the host calls',
    code: `Array.prototype.push = Array.prototype.map = Reflect.apply = JSON.stringify = () => { throw new Error('replaced') }; Object.prototype.toString = null; console.log({ a: [1] }); 'still'`,
    ends: { value: 'still' },
  },
  {
    name: '__proto__ as a key of the result',
    code: `JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}')`,
    ends: { value: JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}') },
  },
  {
    name: 'Symbol.species and a patched then',
    code: `class P extends Promise { static get [Symbol.species]() { throw new Error('species') } } Promise.prototype.then = () => { throw new Error('then') }; Array[Symbol.species]; 7`,
    ends: { value: 7 },
  },
  // Values that bite when they are read.
  { name: 'a getter in the result', code: `({ get bomb() { for (;;); } })`, ends: { value: { bomb: '[Getter]' } } },
  {
    name: 'toJSON, valueOf, toString, toPrimitive in the result',
    code: `({ a: 1, toJSON() { for (;;); }, valueOf() { for (;;); }, toString() { for (;;); }, [Symbol.toPrimitive]() { for (;;); } })`,
    ends: {
      value: { a: 1, toJSON: '[Function: toJSON]', valueOf: '[Function: valueOf]', toString: '[Function: toString]' },
    },
  },
  {
    name: 'a Proxy as the result',
    code: `new Proxy({}, { get() { for (;;); }, ownKeys() { for (;;); }, getOwnPropertyDescriptor() { for (;;); }, getPrototypeOf() { for (;;); } })`,
    ends: { value: '[Proxy]' },
  },
  {
    name: 'a Proxy on the console and as a file',
    code: `const p = new Proxy(Uint8Array, { get() { for (;;); } }); console.log(p, [p]); try { files.write('x', new Proxy(new Uint8Array(1), {})) } catch (e) { e.message }`,
    ends: { value: 'The content of a file must be text or bytes.' },
  },
  { name: 'a thenable as the result', code: `({ then(resolve) { resolve(1); for (;;); } }); 2`, ends: { value: 2 } },
  {
    name: 'a thrown value with getters',
    code: `throw { get message() { for (;;); }, get name() { for (;;); }, get stack() { for (;;); } }`,
    ends: { throws: /./u },
  },
  {
    name: 'a thrown Proxy',
    code: `throw new Proxy(new Error('x'), { get() { for (;;); }, getPrototypeOf() { for (;;); } })`,
    ends: { throws: /Proxy/u },
  },
  {
    name: 'a cyclic result',
    code: `const a = { list: [] }; a.list.push(a); a`,
    ends: { value: { list: ['[Circular]'] } },
  },
  // Errors of the host.
  {
    name: 'the stack of an error',
    code: `try { null.x } catch (e) { /node:|\\/|\\.mjs|\\.ts/.test(e.stack) }`,
    ends: { value: false },
  },
  {
    name: 'Error.prepareStackTrace',
    code: `let sites = []; Error.prepareStackTrace = (_, s) => { sites = s; return 'x' }; new Error('y').stack; (await Promise.all(sites.map(async (s) => typeof s.getThis + (await s.getFunction()?.constructor('return typeof process')())))).join()`,
    ends: { value: 'undefinedundefined' },
  },
  {
    name: 'the stack of an error of a host function',
    code: `try { files.read('missing') } catch (e) { [e.message, e instanceof Error, /node:|worker|dist/.test(e.stack)] }`,
    ends: { value: ['The file does not exist.', true, false] },
  },
  {
    name: 'wrong arguments to host functions',
    code: `[1, null, undefined, {}, [], Symbol('s'), 5n, () => 1].map((v) => { try { files.read(v); return 'read' } catch (e) { return e.message } }).every((m) => m === 'The file does not exist.')`,
    ends: { value: true },
  },
  // Files.
  {
    name: 'paths of the host',
    code: `['/etc/passwd', '../../etc/passwd', 'C:\\\\Windows\\\\win.ini', 'file:///etc/passwd', '/proc/self/environ', '\\u0000', '.', '..'].map((name) => files.exists(name))`,
    ends: { value: Array.from({ length: 8 }, () => false) },
  },
  {
    name: 'writing to paths of the host',
    code: `['/tmp/x', '../x', 'a/../../x', 'C:\\\\x', '\\\\\\\\server\\\\x', 'a\\u0000b', '.hidden', ''].map((name) => { try { files.write(name, 'x'); return 'written' } catch { return 'refused' } })`,
    ends: { value: Array.from({ length: 8 }, () => 'refused') },
  },
  {
    name: 'a file that is too large',
    code: `try { files.write('big', 'x'.repeat(3 * 1024 * 1024)) } catch (e) { e.message }`,
    ends: { value: 'A file may have at most 2097152 bytes.' },
  },
  {
    name: 'too many files',
    code: `let n = 0; try { for (;;) files.write('f' + n++, '') } catch (e) { [n, e.message] }`,
    ends: { value: [65, 'There may be at most 64 files.'] },
  },
  // Time.
  { name: 'an endless loop', code: `for (;;);`, ends: { stopped: 'CPU_LIMIT' } },
  {
    name: 'an endless loop that catches and finally-s',
    code: `for (;;) { try { for (;;); } catch {} finally { continue } }`,
    ends: { stopped: 'CPU_LIMIT' },
  },
  {
    name: 'endless microtasks',
    code: `const again = () => Promise.resolve().then(again); await again()`,
    ends: { stopped: 'CPU_LIMIT' },
  },
  {
    name: 'an endless async loop in the background',
    code: `(async () => { for (;;) await null })(); 1`,
    ends: { stopped: 'CPU_LIMIT' },
  },
  {
    name: 'an endless generator',
    code: `function* endless() { for (;;) yield 1 } let n = 0; for (const one of endless()) n += one`,
    ends: { stopped: 'CPU_LIMIT' },
  },
  { name: 'catastrophic backtracking', code: `/^(a+)+$/.test('a'.repeat(40) + 'b')`, ends: { stopped: 'CPU_LIMIT' } },
  {
    name: 'one call of the engine that cannot be interrupted',
    code: `new Array(2 ** 28).join('ab')`,
    ends: { stopped: 'TIME_LIMIT' },
  },
  { name: 'a timer that never ends', code: `setInterval(() => {}, 20)`, ends: { stopped: 'TIME_LIMIT' } },
  { name: 'a promise that never settles', code: `await new Promise(() => {})`, ends: { stopped: 'NEVER_SETTLES' } },
  {
    name: 'a clock finer than a millisecond',
    code: `let fine = false; for (let i = 0; i < 500; i++) { const t = performance.timeOrigin + performance.now(); if (Math.abs(t - Math.round(t)) > 0.01) fine = true } fine`,
    ends: { value: false },
  },
  // Stack.
  { name: 'endless recursion', code: `(function f() { f() })()`, ends: { stopped: 'STACK_LIMIT' } },
  {
    name: 'recursion through getters and proxies',
    code: `let p = {}; for (let i = 0; i < 20000; i++) p = new Proxy(p, {}); p.x`,
    ends: { stopped: 'STACK_LIMIT' },
  },
  { name: 'deeply nested source', code: `eval('['.repeat(1e6))`, ends: { stopped: 'STACK_LIMIT' } },
  {
    name: 'a deeply nested result',
    code: `let d = []; for (let i = 0; i < 5000; i++) d = [d]; d`,
    ends: { stopped: 'OUTPUT_LIMIT' },
  },
  // Memory.
  {
    name: 'memory by typed arrays',
    code: `const kept = []; for (;;) kept.push(new Uint8Array(1e6))`,
    ends: { stopped: 'MEMORY_LIMIT' },
  },
  { name: 'memory by one huge buffer', code: `new ArrayBuffer(2 ** 30)`, ends: { stopped: 'MEMORY_LIMIT' } },
  {
    name: 'memory by doubling a string',
    code: `let s = 'xy'; for (;;) s = (s + s).split('').join('')`,
    ends: { stopped: 'MEMORY_LIMIT' },
  },
  {
    name: 'memory by a Map',
    code: `const m = new Map(); for (let i = 0; ; i++) m.set(i, new Array(1000).fill(i))`,
    ends: { stopped: 'MEMORY_LIMIT' },
  },
  // Output.
  { name: 'a flood on the console', code: `for (;;) console.log('x'.repeat(500))`, ends: { stopped: 'OUTPUT_LIMIT' } },
  { name: 'one huge line on the console', code: `console.log('x'.repeat(4e6))`, ends: { stopped: 'OUTPUT_LIMIT' } },
  { name: 'a huge string as the result', code: `'x'.repeat(1e6)`, ends: { stopped: 'OUTPUT_LIMIT' } },
  { name: 'a huge sparse array as the result', code: `new Array(2 ** 32 - 1)`, ends: { stopped: 'OUTPUT_LIMIT' } },
];

const HOST_OBJECTS = [Object, Array, Function, Promise, Map, Error, RegExp, Uint8Array, Symbol] as const;
const hostKeys = (): string =>
  JSON.stringify(
    HOST_OBJECTS.map((host) => [Reflect.ownKeys(host.prototype).map(String), Reflect.ownKeys(host).map(String)]),
  );

const endOf = ({ outcome }: RunResult): unknown => {
  switch (outcome.kind) {
    case 'completed':
      return { value: outcome.value.json === undefined ? undefined : JSON.parse(outcome.value.json) };
    case 'threw':
      return { throws: `${outcome.error.name}: ${outcome.error.message}` };
    case 'stopped':
      return { stopped: outcome.code };
  }
};

describe('attempts to escape', () => {
  let sandbox: Sandbox;
  let neighbour: string;
  const before = hostKeys();

  const run = (code: string, sessionId?: string, less: Partial<typeof limits> = {}): Promise<RunResult> =>
    sandbox.run({ code, language: 'javascript', files: [], limits: less, sessionId }, { owner });

  beforeAll(async () => {
    sandbox = new Sandbox({ ...DEFAULT_SETTINGS, limits, concurrency: 2 });
    neighbour = sandbox.createSession(owner).id;
    await run(`const secret = 'of the neighbour'; let calls = 0; files.write('mine', 'kept')`, neighbour);
  });
  afterAll(() => sandbox.close());

  it('are many', () => {
    expect(ATTEMPTS.length).toBeGreaterThanOrEqual(25);
    expect(new Set(ATTEMPTS.map(({ name }) => name)).size).toBe(ATTEMPTS.length);
  });

  it.each(ATTEMPTS)('$name', async ({ code, ends }) => {
    const end = endOf(await run(code, undefined, limitsOf(ends)));

    if ('throws' in ends) expect(end).toEqual({ throws: expect.stringMatching(ends.throws) as string });
    else expect(end).toEqual(ends);
    expect(hostKeys()).toBe(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const next = await run(`[typeof polluted, typeof secret, ({}).polluted, files.list(), [1, 2].map((n) => n + 1)]`);
    expect(endOf(next)).toEqual({ value: ['undefined', 'undefined', null, [], [2, 3]] });
  });

  it('leave another session as it was', async () => {
    expect(endOf(await run(`[secret, ++calls, files.readText('mine'), ({}).polluted]`, neighbour))).toEqual({
      value: ['of the neighbour', 1, 'kept', null],
    });
  });

  it('leave their own session as it was when they are stopped', async () => {
    const { id } = sandbox.createSession(owner);
    await run(`let kept = 1; files.write('a', '1')`, id);
    for (const code of [
      `kept = 2; files.write('a', '2'); for (;;);`,
      `kept = 3; files.remove('a'); (function f() { f() })()`,
    ]) {
      expect(await run(code, id, TIGHT.CPU_LIMIT)).toMatchObject({ outcome: { kind: 'stopped' }, files: [] });
    }
    expect(endOf(await run(`[kept, files.readText('a')]`, id))).toEqual({ value: [1, '1'] });
  });

  it('do not disturb a run beside them', async () => {
    const [bad, good] = await Promise.all([
      run(`for (;;);`, undefined, TIGHT.CPU_LIMIT),
      run(`await new Promise((done) => setTimeout(done, 50)); 'undisturbed'`),
    ]);
    expect(endOf(bad)).toEqual({ stopped: 'CPU_LIMIT' });
    expect(endOf(good)).toEqual({ value: 'undisturbed' });
  });
});
