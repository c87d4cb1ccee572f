import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stopCodeOf, stopCodeOfHostError } from './failure.js';
import { isFileName } from './file-name.js';
import { DEFAULT_LIMITS } from './isolate-limits.js';
import { Meter } from './meter.js';
import { stripTypes } from './evaluate.js';
import { VirtualFiles } from './virtual-files.js';
import { wasiWithoutHost } from './open-isolate.js';

describe('names of files', () => {
  it.each(['a', 'a.txt', 'out/data 1.csv', 'é/ü-1_2.b', 'x'.repeat(200)])('takes %s', (name) => {
    expect(isFileName(name)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/a',
    'a/',
    '..',
    'a/../b',
    '.a',
    'a.',
    'a ',
    'a\\b',
    'C:\\a',
    'c:a',
    'a\0',
    'a\nb',
    '~/a',
    'x'.repeat(201),
  ])('refuses %j', (name) => {
    expect(isFileName(name)).toBe(false);
  });

  it('never takes a name with a segment that climbs or a separator of another system', () => {
    const names = fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', ':', ' ', '~', '\0', '%') });
    const decent = /^(?!.*\.\.\/)(?!\/)[^\\:~\0%]+$/u;
    const outcome = fc.check(fc.property(names, (name) => !isFileName(name) || decent.test(name)));
    expect(outcome).toMatchObject({ failed: false });
  });
});

describe('virtual files', () => {
  const bytes = (size: number): Uint8Array => new Uint8Array(size);
  const bounds = { fileBytes: 10, filesBytes: 20, fileCount: 3 };

  it('stay within their bounds, whatever is done to them', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', '../e');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), name: names, size: fc.integer({ min: 0, max: 14 }) }),
      fc.record({ kind: fc.constant('remove' as const), name: names }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const files = new VirtualFiles([{ name: 'a', bytes: bytes(4) }], bounds);
        const model = new Map([['a', 4]]);
        for (const one of steps) {
          if (one.kind === 'remove') expect(files.remove(one.name)).toBe(model.delete(one.name));
          else if (files.write(one.name, bytes(one.size)) === undefined) model.set(one.name, one.size);
          expect(files.names).toEqual([...model.keys()].sort());
          const sizes = [...model.values()];
          expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bounds.filesBytes);
          expect(sizes.length).toBeLessThanOrEqual(bounds.fileCount);
          expect(sizes.every((size) => size <= bounds.fileBytes)).toBe(true);
        }
        expect(files.written.every(({ name, bytes: { byteLength } }) => model.get(name) === byteLength)).toBe(true);
        expect(files.removed.some((name) => model.has(name))).toBe(false);
      }),
    );
  });

  it('say what is too much', () => {
    const files = new VirtualFiles([], bounds);
    expect(files.write('a', bytes(11))).toBe('A file may have at most 10 bytes.');
    expect([files.write('a', bytes(10)), files.write('b', bytes(10))]).toEqual([undefined, undefined]);
    expect(files.write('c', bytes(1))).toBe('All files together may have at most 20 bytes.');
    expect([files.write('b', bytes(0)), files.write('c', bytes(0))]).toEqual([undefined, undefined]);
    expect(files.write('d', bytes(0))).toBe('There may be at most 3 files.');
  });
});

describe('the meter', () => {
  it('counts time only while code is executing', () => {
    let now = 0;
    const meter = new Meter({ ...DEFAULT_LIMITS, cpuMs: 10 }, () => now);
    meter.active(() => {
      now += 6;
      meter.active(() => expect(meter.mustStop()).toBe(false));
    });
    now += 1000;
    expect([meter.mustStop(), meter.usage.cpuMs]).toEqual([false, 6]);
    meter.active(() => {
      now += 5;
      expect(meter.mustStop()).toBe(true);
    });
    expect(meter.stopped).toBe('CPU_LIMIT');
    meter.stop('OUTPUT_LIMIT');
    expect(meter.stopped).toBe('CPU_LIMIT');
  });

  it('watches how much the memory of the instance has grown', () => {
    const meter = new Meter({ ...DEFAULT_LIMITS, memoryBytes: 100 });
    meter.watch({ buffer: new ArrayBuffer(201) });
    expect([meter.mustStop(), meter.stopped, meter.usage.memoryBytes]).toEqual([true, 'MEMORY_LIMIT', 201]);
  });

  it('grants output until there is too much', () => {
    const meter = new Meter({ ...DEFAULT_LIMITS, outputBytes: 10 });
    expect([meter.grantOutput(10), meter.outputLeft, meter.grantOutput(1), meter.stopped]).toEqual([
      true,
      0,
      false,
      'OUTPUT_LIMIT',
    ]);
  });
});

describe('failures of the engine', () => {
  it.each([
    [{ name: 'InternalError', message: 'out of memory in regexp execution' }, 'MEMORY_LIMIT'],
    [{ name: 'InternalError', message: 'string too long' }, 'MEMORY_LIMIT'],
    [{ name: 'RangeError', message: 'Maximum call stack size exceeded' }, 'STACK_LIMIT'],
    [{ name: 'InternalError', message: 'stack overflow' }, 'STACK_LIMIT'],
    [{ name: 'RangeError', message: 'invalid array length' }, undefined],
    [{ name: 'Error', message: 'out of memory' }, undefined],
  ])('%o', (error, code) => {
    expect(stopCodeOf({ ...error, stack: '' })).toBe(code);
  });

  it('of the host are told apart', () => {
    expect(
      [
        new RangeError('Maximum call stack size exceeded'),
        new Error('wasm_malloc failed'),
        new Error('unreachable'),
        5,
      ].map(stopCodeOfHostError),
    ).toEqual(['STACK_LIMIT', 'MEMORY_LIMIT', 'ENGINE_FAULT', 'ENGINE_FAULT']);
  });
});

describe('types', () => {
  it('become blanks, so that positions stay', () => {
    const code = 'const a: number = 1;\ninterface X {}\na as unknown';
    const stripped = stripTypes(code);
    expect(stripped).toMatchObject({ kind: 'stripped' });
    if (stripped.kind === 'stripped') {
      expect(stripped.code.split('\n').map((line) => line.length)).toEqual([20, 14, 12]);
    }
  });

  it('that are more than types are rewritten', () => {
    expect(stripTypes('enum E { A }')).toMatchObject({
      kind: 'stripped',
      code: expect.stringContaining('var E') as string,
    });
  });

  it('that are wrong are refused with their line', () => {
    expect(stripTypes('\n\nlet a: = 1')).toMatchObject({ kind: 'invalid', line: 3 });
  });
});

it('the system behind the engine is a clock, random numbers and a void', () => {
  const memory = { buffer: new ArrayBuffer(64) };
  const { clock_time_get: clock, random_get: random, fd_write: write } = wasiWithoutHost(memory);
  const view = new DataView(memory.buffer);
  expect([clock(0, 0n, 0), view.getBigUint64(0, true) % 1_000_000n]).toEqual([0, 0n]);
  expect([random(8, 16), new Uint8Array(memory.buffer, 8, 16).some((byte) => byte !== 0)]).toEqual([0, true]);
  view.setUint32(44, 5, true);
  view.setUint32(52, 7, true);
  expect([write(1, 40, 2, 60), view.getUint32(60, true)]).toEqual([0, 12]);
});
