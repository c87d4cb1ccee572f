import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type BundledServer } from '../bundled-server.js';
import { openParityApi, type ParityApi } from './parity-api.js';
import { parityCollections } from './parity-collections.js';

interface Execution {
  readonly name: string;
  readonly status: number | null;
  readonly assertions: readonly (readonly [string, string])[];
  readonly scriptFailed: boolean;
}

interface Report {
  readonly requests: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly response?: { readonly status: number };
    readonly assertions: readonly { readonly name: string; readonly passed: boolean; readonly skipped?: boolean }[];
    readonly error?: { readonly code: string };
  }[];
}

const programs = createRequire(new URL('../../../programs/package.json', import.meta.url));
const NAMES = [...parityCollections('').keys()];

let api: ParityApi;
let directory = '';
let server: BundledServer;
let client: Client;
let newman: Readonly<Record<string, readonly Execution[]>>;

beforeAll(async () => {
  api = await openParityApi();
  directory = await mkdtemp(join(tmpdir(), 'parity-'));
  await mkdir(join(directory, 'files'));
  await writeFile(join(directory, 'files', 'note.txt'), 'the content of the file');
  for (const [name, collection] of parityCollections(api.url)) {
    await writeFile(join(directory, `${name}.json`), JSON.stringify(collection));
  }
  const script = fileURLToPath(new URL('newman-report.mjs', import.meta.url));
  const args = [script, directory, programs.resolve('newman')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 });
  newman = JSON.parse(stdout) as typeof newman;
  server = await startServer('collections', ['--dir', directory], directory);
  client = new Client({ name: 'parity', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
}, 180_000);

afterAll(async () => {
  await client?.close();
  await server?.end();
  await api?.close();
  await rm(directory, { recursive: true, force: true });
});

const lastName = (id: string): string => (id.split(' / ').at(-1) ?? id).replace(/ #\d+$/u, '');

/** newman does not list what a script skipped. */
const executionsOf = ({ requests }: Report): readonly Execution[] =>
  requests
    .filter(({ outcome }) => outcome !== 'skipped')
    .map(({ id, response, assertions, error }) => ({
      name: lastName(id),
      status: response?.status ?? null,
      assertions: assertions.map(({ name, passed, skipped }) => [
        name,
        skipped === true ? 'skipped' : passed ? 'passed' : 'failed',
      ]),
      scriptFailed: error?.code === 'SCRIPT_FAILED',
    }));

describe('the same assertions as under newman', () => {
  test('cover at least fifteen collections', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(15);
  });

  test.each(NAMES)('%s', { timeout: 60_000 }, async (name) => {
    const result = await client.callTool({ name: 'run_collection', arguments: { collection: `${name}.json` } });
    const executions = executionsOf(result.structuredContent as Report);
    const expected = newman[`${name}.json`] ?? [];
    expect(expected.length).toBeGreaterThan(0);
    expect(executions).toEqual(expected);
  });
});
