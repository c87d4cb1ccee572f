import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { convert } from '../convert/convert.js';
import type { ConverterCall } from '../convert/converter-process.js';
import { makeDocumentsServer } from './documents-server.js';
import { documentsSettings } from './documents-program.js';
import { FORMAT_NAMES } from '../format/document-format.js';
import { AllowedDirectories } from '../source/allowed-directories.js';
import { ConvertedStore } from '../store/converted-store.js';
import type { Desk } from '../tool/convert-document.js';

let root = '';
let directories: AllowedDirectories;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'documents-tool-'));
  await writeFile(join(root, 'a.md'), '# Title\n\ntext\n');
  await writeFile(join(root, 'secret.key'), 'secret');
  directories = await AllowedDirectories.of({ allowed: [root], cwd: '/' });
});

afterAll(() => rm(root, { recursive: true, force: true }));

const open = async ({
  roots,
  pool = { convert: ({ conversion, progress }: ConverterCall) => convert(conversion, progress) },
}: {
  roots?: readonly string[];
  pool?: Desk['pool'];
} = {}) => {
  const server = makeDocumentsServer({
    settings: documentsSettings({}),
    directories,
    pool,
    store: new ConvertedStore(),
  });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: roots === undefined ? {} : { roots: {} } });
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((path) => ({ uri: pathToFileURL(path).href })) }));
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  const call = (args: Record<string, unknown>, name = 'convert_document') => client.callTool({ name, arguments: args });
  return { client, call };
};

describe('convert_document', () => {
  it('answers with the text, its particulars and a resource that can be read', async () => {
    const { client, call } = await open();
    const result = await call({ input_path: 'a.md', output_format: 'html' });
    expect(result.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('<h1>Title</h1>') as string,
    });
    expect(result.structuredContent).toMatchObject({
      format: 'markdown',
      output_format: 'html',
      title: 'Title',
      truncated: false,
    });
    const { uri } = result.structuredContent as { uri: string };
    expect(result.content.at(-1)).toMatchObject({ type: 'resource_link', uri, name: 'a.md', mimeType: 'text/html' });
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ mimeType: 'text/html' });
  });

  it.each([
    ['nothing', {}, 'INVALID_INPUT'],
    ['two sources', { input_path: 'a.md', content: 'x', format: 'text' }, 'INVALID_INPUT'],
    ['content without a format', { content: 'x' }, 'INVALID_INPUT'],
    ['a document without text', { content: ' ', format: 'text' }, 'EMPTY'],
    ['a path outside', { input_path: '/etc/passwd' }, 'PATH_REFUSED'],
    ['a private URL', { url: 'http://169.254.169.254/latest' }, 'URL_REFUSED'],
    ['the wrong format', { input_path: 'a.md', format: 'pdf' }, 'FORMAT_MISMATCH'],
    ['a format that would make text of it', { input_path: 'a.md', format: 'text' }, 'FORMAT_MISMATCH'],
    ['a format for a file of unknown type', { input_path: 'secret.key', format: 'text' }, 'FORMAT_UNKNOWN'],
  ])('given %s says %s', async (_what, args, code) => {
    const { call } = await open();
    const result = await call(args);
    expect(result.isError).toBe(true);
    expect(result.content).toHaveLength(1);
    expect(result.content[0]).toMatchObject({ text: expect.stringMatching(new RegExp(`^${code}: `, 'u')) as string });
    expect(JSON.stringify(result)).not.toContain(root);
  });

  it('says nothing of an error that nobody foresaw', async () => {
    const { call } = await open({ pool: { convert: () => Promise.reject(new Error('/root/secret')) } });
    expect((await call({ content: 'x', format: 'text' })).content[0]).toMatchObject({
      text: 'DAMAGED: The document cannot be read.',
    });
  });

  it('cuts what is too long for an answer and keeps it whole as a resource', async () => {
    const { client, call } = await open();
    const result = await call({ content: 'x'.repeat(1_000_100), format: 'text', output_format: 'text' });
    const { uri, truncated } = result.structuredContent as { uri: string; truncated: boolean };
    expect(truncated).toBe(true);
    expect(result.content[0]).toMatchObject({ text: 'x'.repeat(1_000_000) });
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ text: `${'x'.repeat(1_000_100)}\n` });
  });

  it('hands out pictures behind the text', async () => {
    const { call } = await open();
    const content = '<img alt="dot" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">';
    const result = await call({ content, format: 'html', images: true });
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
    expect(result.structuredContent).toMatchObject({ images: ['image-1.gif'] });
  });

  it('keeps to the roots of the client', async () => {
    const allowed = await open({ roots: [root] });
    expect((await allowed.call({ input_path: 'a.md' })).isError).toBeUndefined();
    const elsewhere = await open({ roots: [tmpdir().replace(/\/?$/u, '/elsewhere')] });
    expect((await elsewhere.call({ input_path: 'a.md' })).content[0]).toMatchObject({
      text: expect.stringContaining('PATH_REFUSED') as string,
    });
  });

  it('tells how far it is to whoever asks', async () => {
    const { client } = await open({
      pool: {
        convert: async ({ conversion, progress }) => {
          for (const done of [1, 1, 2]) progress(done, 2);
          return convert(conversion, progress);
        },
      },
    });
    const told: unknown[] = [];
    await client.callTool(
      { name: 'convert_document', arguments: { content: 'x', format: 'text' } },
      { onprogress: (progress) => told.push(progress) },
    );
    expect(told).toMatchObject([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  it('stops when the call is cancelled', async () => {
    let resolve: (signal: AbortSignal) => void = () => undefined;
    const promise = new Promise<AbortSignal>((settle) => {
      resolve = settle;
    });
    const { client } = await open({
      pool: { convert: ({ signal }) => (resolve(signal), new Promise(() => undefined)) },
    });
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'convert_document', arguments: { content: 'x', format: 'text' } },
      { signal: stop.signal },
    );
    const signal = await promise;
    stop.abort();
    await expect(call).rejects.toThrow(/abort/iu);
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

describe('the rest of the server', () => {
  it('lists its formats', async () => {
    const { call } = await open();
    const { structuredContent } = await call({}, 'get_supported_formats');
    const { formats, ocr } = structuredContent as { formats: { name: string }[]; ocr: boolean };
    expect(formats.map(({ name }) => name)).toEqual([...FORMAT_NAMES]);
    expect(ocr).toBe(true);
  });

  it('knows no resource that it did not make', async () => {
    const { client } = await open();
    await expect(client.readResource({ uri: 'documents://converted/none.md' })).rejects.toThrow(/none\.md/u);
  });
});
