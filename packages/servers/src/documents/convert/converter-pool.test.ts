import { describe, expect, it } from 'vitest';
import type { ConvertedDocument } from './convert.js';
import { ConverterPool } from './converter-pool.js';
import type { ConverterCall, ConverterProcess } from './converter-process.js';
import { DEFAULT_LIMITS } from '../limits.js';

const DONE: ConvertedDocument = { text: 'x', format: 'text', output: 'markdown', images: [], warnings: [] };

const call = (signal = new AbortController().signal): ConverterCall => ({
  conversion: {
    bytes: new Uint8Array(),
    hints: {},
    output: 'text',
    tables: true,
    images: false,
    limits: DEFAULT_LIMITS,
  },
  progress: () => undefined,
  signal,
  timeoutMs: 1000,
});

/** A process that ends a conversion when it is told to. */
const bench = () => {
  const started: { dead: boolean; calls: number; finish: () => void; fail: () => void }[] = [];
  const start = (): ConverterProcess => {
    const process = {
      dead: false,
      calls: 0,
      finish: () => undefined as void,
      fail: () => undefined as void,
      kill: () => {
        process.dead = true;
      },
      convert: () =>
        new Promise<ConvertedDocument>((resolve, reject) => {
          process.calls += 1;
          process.finish = () => resolve(DONE);
          process.fail = () => {
            process.dead = true;
            reject(new Error('died'));
          };
        }),
    };
    started.push(process);
    // The pool uses nothing else of a process.
    return process as unknown as ConverterProcess;
  };
  return { started, start };
};

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the pool of converters', () => {
  it('starts as many as it may, lets the rest wait in turn, and uses them again', async () => {
    const { started, start } = bench();
    const pool = new ConverterPool({ size: 1, start });
    const first = pool.convert(call());
    const second = pool.convert(call());
    await settle();
    expect(started).toHaveLength(1);
    started[0]?.finish();
    await first;
    await settle();
    started[0]?.finish();
    expect(await second).toBe(DONE);
    expect(started).toHaveLength(1);
    pool.close();
    expect(started[0]?.dead).toBe(true);
  });

  it('replaces one that died', async () => {
    const { started, start } = bench();
    const pool = new ConverterPool({ size: 1, start });
    const first = pool.convert(call());
    await settle();
    started[0]?.fail();
    await expect(first).rejects.toThrow('died');
    const second = pool.convert(call());
    await settle();
    started[1]?.finish();
    await second;
    expect(pool.running).toBe(1);
    pool.close();
  });

  it('retires one that had its share, and all when nothing is to do', async () => {
    const { started, start } = bench();
    const pool = new ConverterPool({ size: 1, callsPerProcess: 1, start });
    const first = pool.convert(call());
    await settle();
    started[0]?.finish();
    await first;
    expect(pool.running).toBe(0);
    const idle = new ConverterPool({ idleMs: 1, start });
    const second = idle.convert(call());
    await settle();
    started[1]?.finish();
    await second;
    await expect.poll(() => idle.running).toBe(0);
    expect(started[1]?.dead).toBe(true);
  });

  it('refuses when too many wait, and lets go of those who leave', async () => {
    const { started, start } = bench();
    const pool = new ConverterPool({ size: 1, maxWaiting: 1, start });
    const first = pool.convert(call());
    const leaving = new AbortController();
    const second = pool.convert(call(leaving.signal));
    await settle();
    await expect(pool.convert(call())).rejects.toMatchObject({ code: 'BUSY' });
    leaving.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(pool.convert(call(AbortSignal.abort()))).rejects.toMatchObject({ code: 'CANCELLED' });
    const third = pool.convert(call());
    await settle();
    pool.close();
    started[0]?.finish();
    await first;
    await expect(third).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
