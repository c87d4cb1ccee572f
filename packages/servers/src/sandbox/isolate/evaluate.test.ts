import { beforeAll, describe, expect, it } from 'vitest';
import { compileEngine, type Engine } from './engine-module.js';
import { evaluate } from './evaluate.js';
import type { ConsoleLine, IsolateJob, RunOutcome } from './isolate-job.js';
import { DEFAULT_LIMITS } from './isolate-limits.js';

let engine: Engine;
beforeAll(async () => {
  engine = await compileEngine();
});

const limits = { ...DEFAULT_LIMITS, cpuMs: 20_000 };

const run = async (
  code: string,
  job: Partial<IsolateJob> = {},
): Promise<{ outcome: RunOutcome; lines: ConsoleLine[] }> => {
  const lines: ConsoleLine[] = [];
  const whole = { code, language: 'javascript', limits, files: [], keepState: false, ...job } as const;
  const outcome = await evaluate(whole, { engine, say: (line) => lines.push(line) });
  return { outcome, lines };
};

const valueOf = async (code: string, job: Partial<IsolateJob> = {}): Promise<unknown> => {
  const { outcome } = await run(code, job);
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.value.json === undefined ? undefined : JSON.parse(outcome.value.json);
};

describe('the value of a run', () => {
  it.each([
    ['1 + 1', 2],
    ['const q = 5; q * 2', 10],
    ['await Promise.resolve(7)', 7],
    ['undefined', undefined],
    ['null', null],
    ['[NaN, -Infinity, 10n ** 30n]', ['NaN', '-Infinity', `${10n ** 30n}n`]],
    [
      `[Symbol('x'), () => 1, class A {}, function named() {}]`,
      ['[Symbol]', '[Function: anonymous]', '[Function: A]', '[Function: named]'],
    ],
    ['[new Date(0), new Date(NaN), /a/g]', ['1970-01-01T00:00:00.000Z', 'Invalid Date', '/a/g']],
    [`new Map([['k', { v: new Set([1]) }]])`, [['k', { v: [1] }]]],
    [
      '[new Uint8Array([1, 2, 3]).subarray(1), new Float64Array(2), new ArrayBuffer(0)]',
      [[2, 3], '[Float64Array: 16 bytes]', '[ArrayBuffer: 0 bytes]'],
    ],
    [
      `({ a: undefined, [Symbol.iterator]: 1, b: [undefined, , 3], c: new Error('e') })`,
      { b: [null, null, 3], c: { name: 'Error', message: 'e' } },
    ],
    ['[Promise.resolve(), new WeakMap(), new Proxy({}, {})]', ['[Promise]', '[WeakMap]', '[Proxy]']],
    [`Object.defineProperty({ shown: 1 }, 'hidden', { value: 2 })`, { shown: 1 }],
  ])('%s', async (code, value) => {
    expect(await valueOf(code)).toEqual(value);
  });

  it('has a type', async () => {
    const types = await Promise.all(['null', '[]', '({})', 'undefined', '"x"', '1n'].map((code) => run(code)));
    expect(types.map(({ outcome }) => outcome.kind === 'completed' && outcome.value.type)).toEqual([
      'null',
      'array',
      'object',
      'undefined',
      'string',
      'bigint',
    ]);
  });
});

describe('the console', () => {
  it('says values as they are, at their level', async () => {
    const { lines } = await run(
      `console.log('a', { b: [1] }, undefined); console.warn(new Error('w')); console.assert(0, 'no'); console.count(); console.groupEnd()`,
    );
    expect(lines).toEqual([
      { level: 'log', text: 'a {"b":[1]} undefined' },
      { level: 'warn', text: '{"name":"Error","message":"w"}' },
      { level: 'error', text: 'Assertion failed no' },
      { level: 'log', text: 'default: 1' },
    ]);
  });

  it('leaves out what is deep or long', async () => {
    const { lines } = await run(
      `console.log({ a: { b: { c: { d: { e: 1 } } } } }); console.log(new Array(1000).fill(0)); console.log(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i, i])))`,
    );
    expect(lines[0]?.text).toBe('{"a":{"b":{"c":{"d":"[Object]"}}}}');
    expect(lines[1]?.text).toMatch(/"… 801 more"\]$/u);
    expect(lines[2]?.text).toMatch(/"…":"more"\}$/u);
  });

  it('hears of rejections that nobody handles', async () => {
    expect((await run(`Promise.reject(new Error('lost')); Promise.reject(1).catch(() => {}); 1`)).lines).toEqual([
      { level: 'error', text: 'Unhandled rejection: Error: lost' },
    ]);
  });
});

describe('an error of the code', () => {
  it.each([
    [`throw new RangeError('r')`, 'RangeError', 'r'],
    [`throw 'text'`, 'Error', 'Thrown: text'],
    [`throw Symbol('s')`, 'Error', 'Thrown: [Symbol]'],
    [`class Own extends Error { get name() { return 'Getter' } } throw new Own('o')`, 'Error', 'o'],
    [`let x = ;`, 'SyntaxError', expect.stringContaining('unexpected token')],
    [`setTimeout(() => { throw new Error('late') }, 1); 1`, 'Error', 'late'],
    [`setTimeout('code')`, 'TypeError', 'The callback must be a function.'],
    [
      `new TextDecoder().decode('text of no bytes' && 5)`,
      'TypeError',
      "The provided value is not of type '(ArrayBuffer or ArrayBufferView)'",
    ],
  ])('%s', async (code, name, message) => {
    expect((await run(code)).outcome).toMatchObject({ kind: 'threw', error: { name, message } });
  });

  it('has the position in the code and nothing of the host', async () => {
    const { outcome } = await run(`\nfunction f() { throw new Error('x') }\nf()`);
    expect(outcome).toMatchObject({
      error: {
        stack: expect.stringMatching(/^\s+at f \(main\.js:2:\d+\)\n\s+at <eval> \(main\.js:3:\d+\)\n$/u) as string,
      },
    });
  });

  it('in types is found before anything runs', async () => {
    const { outcome, lines } = await run(`console.log(1)\nconst a: = 1`, { language: 'typescript' });
    expect(outcome).toMatchObject({ kind: 'threw', error: { name: 'SyntaxError', stack: '    at main.ts:2' } });
    expect(lines).toEqual([]);
  });
});

describe('timers', () => {
  it('run in the order of their time, and can be cleared', async () => {
    expect(
      await valueOf(`const seen = []; setTimeout((a) => seen.push(a), 20, 'late'); setTimeout(() => seen.push('soon'), 1);
        clearTimeout(setTimeout(() => seen.push('never'), 2)); let n = 0;
        const every = setInterval(() => { if (++n === 3) clearInterval(every) }, 1);
        const pause = () => new Promise((done) => setTimeout(done, 10));
        while (n < 3 || seen.length < 2) await pause();
        await pause(); [seen, n]`),
    ).toEqual([['soon', 'late'], 3]);
  });

  it('do not outlive a run', async () => {
    const first = await run(`setTimeout(() => { globalThis.rang = true }, 60_000); throw new Error('over')`, {
      keepState: true,
    });
    if (first.outcome.kind === 'stopped' || first.outcome.state === undefined) throw new Error('no state');
    expect(await valueOf('typeof rang', { state: first.outcome.state })).toBe('undefined');
  });
});

describe('files', () => {
  const files = [{ name: 'in.txt', bytes: new TextEncoder().encode('héllo') }];

  it('are read, written and removed by name', async () => {
    const code = `files.write('out/a.txt', files.readText('in.txt') + '!'); files.write('b', new Uint8Array([7]).buffer); files.remove('in.txt');
      [files.list(), files.exists('in.txt'), files.remove('in.txt'), [...files.read('b')]]`;
    const { outcome } = await run(code, { files });
    expect(outcome).toMatchObject({
      value: { json: JSON.stringify([['b', 'out/a.txt'], false, false, [7]]) },
      removed: ['in.txt'],
      written: [
        { name: 'out/a.txt', bytes: new TextEncoder().encode('héllo!') },
        { name: 'b', bytes: new Uint8Array([7]) },
      ],
    });
  });

  it('turn texts into bytes and back', async () => {
    expect(
      await valueOf(
        `[[...new TextEncoder().encode('é')], new TextDecoder().decode(new Uint8Array([195, 169])), new TextDecoder().encoding]`,
      ),
    ).toEqual([[195, 169], 'é', 'utf-8']);
  });
});

describe('state', () => {
  it('goes on where a run before ended', async () => {
    const first = await run(`let n = 1; const add = () => ++n; class A { x = 1 } globalThis.kept = new A()`, {
      keepState: true,
    });
    if (first.outcome.kind !== 'completed' || first.outcome.state === undefined) throw new Error('no state');
    const { state } = first.outcome;
    expect(await valueOf(`console.log('again'); [add(), kept instanceof A, files.list()]`, { state })).toEqual([
      2,
      true,
      [],
    ]);
    expect(await valueOf(`add()`, { state })).toBe(2);
  });

  it('is told of a refused program as well', async () => {
    const first = await run('var n = 1', { keepState: true });
    if (first.outcome.kind !== 'completed' || first.outcome.state === undefined) throw new Error('no state');
    const { state } = first.outcome;
    const refused = await run('const a: = 1', { language: 'typescript', state, keepState: true });
    expect([refused.outcome.kind, refused.outcome.kind === 'threw' && refused.outcome.state === state]).toEqual([
      'threw',
      true,
    ]);
  });
});

describe('the host around a run', () => {
  it('prepares it and asks it afterwards, also when it threw', async () => {
    const job = { before: 'globalThis.notes = []', after: '({ notes })' };
    expect(await valueOf('notes.push(1)', job)).toEqual({ notes: [1] });
    const { outcome } = await run(`notes.push(2); throw new Error('x')`, job);
    expect(outcome).toMatchObject({ kind: 'threw', value: { json: '{"notes":[2]}' } });
  });

  it.each([
    ['CPU_LIMIT', 'for (;;);', { cpuMs: 50 }],
    ['MEMORY_LIMIT', 'const a = []; for (;;) a.push(new Uint8Array(1e6))', { memoryBytes: 8 * 1024 * 1024 }],
    ['STACK_LIMIT', '(function f() { f() })()', {}],
    ['OUTPUT_LIMIT', `console.log('x'.repeat(2000))`, { outputBytes: 1000 }],
    ['OUTPUT_LIMIT', `'x'.repeat(2000)`, { resultBytes: 1000 }],
    ['OUTPUT_LIMIT', `Array.from({ length: 30 }, () => 'x'.repeat(50))`, { resultBytes: 1000 }],
    ['NEVER_SETTLES', 'await new Promise(() => {})', {}],
  ] as const)('stops it with %s: %s', async (code, source, less) => {
    const { outcome } = await run(source, { limits: { ...limits, ...less } });
    expect(outcome).toMatchObject({ kind: 'stopped', code });
  });

  it('stops TypeScript that the stripper cannot take', async () => {
    const { outcome } = await run('('.repeat(200_000), { language: 'typescript' });
    expect(outcome).toMatchObject({ kind: 'stopped', code: 'STACK_LIMIT' });
  });
});
