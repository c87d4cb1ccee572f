import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.js';
import { bombPage, pdfOfPages } from '../test-support/pdf-file.js';
import type { Conversion } from './convert.js';
import { ConverterProcess, type ConverterCall } from './converter-process.js';

const BUILT = new URL('../../../dist/documents/convert/converter-worker.js', import.meta.url);

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'converter-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const script = async (name: string, text: string): Promise<URL> => {
  await writeFile(join(folder, name), text);
  return pathToFileURL(join(folder, name));
};

const call = (conversion: Partial<Conversion>, options: Partial<ConverterCall> = {}): ConverterCall => ({
  conversion: {
    bytes: new TextEncoder().encode('# hello'),
    hints: { format: 'markdown' },
    output: 'html',
    tables: true,
    images: false,
    limits: DEFAULT_LIMITS,
    ...conversion,
  },
  progress: () => undefined,
  signal: new AbortController().signal,
  timeoutMs: 30_000,
  ...options,
});

describe('the process that converts', () => {
  it('converts one document after another, and answers with refusals', async () => {
    const process = new ConverterProcess({ entry: BUILT });
    try {
      expect((await process.convert(call({}))).text).toContain('<h1>hello</h1>');
      await expect(process.convert(call({ hints: { format: 'pdf' } }))).rejects.toMatchObject({
        code: 'FORMAT_MISMATCH',
      });
      expect((await process.convert(call({ output: 'text' }))).text).toBe('hello\n');
      expect(process.calls).toBe(3);
    } finally {
      process.kill();
    }
  });

  it('is ended when a document would fill the memory', async () => {
    const process = new ConverterProcess({ entry: BUILT, memoryBytes: 250 * 1024 * 1024 });
    const bytes = pdfOfPages([bombPage(1000)]);
    expect(bytes.length).toBeLessThan(DEFAULT_LIMITS.inputBytes);
    await expect(process.convert(call({ bytes, hints: { format: 'pdf' } }))).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
    });
    expect(process.dead).toBe(true);
  });

  it('is ended when it hangs, and when the caller leaves', async () => {
    const entry = await script('hang.mjs', "process.on('message', () => { for (;;); });");
    const late = new ConverterProcess({ entry });
    await expect(late.convert(call({}, { timeoutMs: 300 }))).rejects.toMatchObject({ code: 'TIMED_OUT' });
    expect(late.dead).toBe(true);
    const left = new ConverterProcess({ entry });
    const stop = new AbortController();
    const conversion = left.convert(call({}, { signal: stop.signal }));
    stop.abort();
    await expect(conversion).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(left.dead).toBe(true);
  });

  it('may crash without harm', async () => {
    const entry = await script('crash.mjs', "process.on('message', () => process.abort());");
    await expect(new ConverterProcess({ entry }).convert(call({}))).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  });
});
