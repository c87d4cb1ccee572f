import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Agent, ApiKeyCreated } from '../../packages/contract/src/index.js';
import { hubCallWith } from '../support/hub-call.js';
import { MAIN, until } from './cli-process.js';

const CANARY = 'canary-of-a-file-that-no-agent-may-read';
const report = resolve(import.meta.dirname, '../../examples/end-to-end/quarterly-report.docx');

let folder: string;
let work: string;
let hub: ChildProcess;
let url: string;
let adminKey: string;
const keys = new Map<string, string>();

/** An agent that was given nothing but some of the bundled servers. */
const agentKey = async (name: string, servers: readonly string[]): Promise<string> => {
  const admin = hubCallWith(url, adminKey);
  const listed = (await admin('GET', '/v1/mcp-servers')).json as { id: string; server_name: string }[];
  const server_ids = listed.filter(({ server_name }) => servers.includes(server_name)).map(({ id }) => id);
  expect(server_ids).toHaveLength(servers.length);
  const agent = (await admin('POST', '/v1/agents', { name, server_ids })).json as Agent;
  return ((await admin('POST', '/v1/keys', { name, agent_id: agent.id })).json as ApiKeyCreated).key;
};

const connect = async (name: string, path: string, mode: 'legacy' | { readonly pin: '2026-07-28' } = 'legacy') => {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${keys.get(name)}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-bundled-'));
  work = join(folder, 'work');
  await mkdir(join(work, '.config'), { recursive: true });
  await copyFile(report, join(work, 'report.docx'));
  await writeFile(join(work, 'settings.json'), JSON.stringify({ mcpServers: {}, $schema: CANARY }));
  await writeFile(join(work, '.config', 'tokens.txt'), CANARY);
  await writeFile(join(work, '.env.txt'), CANARY);
  await writeFile(join(folder, 'outside.txt'), CANARY);
  await symlink(join(work, 'state', 'hub.json'), join(work, 'link.json'));
  await symlink(join(work, 'state'), join(work, 'linked'));
  await symlink(join(work, '.config'), join(work, 'config'));
  hub = spawn(
    process.execPath,
    [MAIN, 'serve', '--demo', '--port', '0', '--home', './state', '--config', './settings.json'],
    {
      cwd: work,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, PLUGBOARD_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [running, ready] = [until(hub, /running at (http:\S+)/u), until(hub, /Try, in another terminal/u)];
  url = (await running)[1] ?? '';
  await ready;
  adminKey = (JSON.parse(await readFile(join(work, 'state', 'hub.json'), 'utf8')) as { key: string }).key;
  for (const name of ['reader', 'other']) keys.set(name, await agentKey(name, ['documents']));
  keys.set('curious', await agentKey('curious', ['everything']));
});

afterAll(async () => {
  if (hub?.exitCode === null) {
    hub.kill('SIGTERM');
    await once(hub, 'exit');
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('an agent that was given only documents', () => {
  it('reads a document of the directory in which the hub was started', async () => {
    const client = await connect('reader', '/mcp');
    const { content } = await client.callTool({
      name: 'documents__convert_document',
      arguments: { input_path: 'report.docx' },
    });
    expect(content[0]).toMatchObject({ text: expect.stringContaining('# Quarterly report') as string });
  });

  const SECRETS = [
    'state/hub.json',
    'state/./hub.json',
    'STATE/hub.json',
    'state./hub.json',
    'state/hub.json.',
    'state/master.key',
    'state/plugboard.db',
    './state/collections/hub.postman_collection.json',
    'link.json',
    'linked/hub.json',
    'linked/master.key',
    'settings.json',
    '.env.txt',
    '.config/tokens.txt',
    'config/tokens.txt',
    '../outside.txt',
    'state/../../outside.txt',
    '/proc/self/environ',
    '/proc/self/cwd/state/hub.json',
    'file:state/hub.json',
  ];

  it.each(SECRETS)('does not get %s, whatever format it names', async (path) => {
    const client = await connect('reader', '/mcp');
    const absolute = path.startsWith('/') || path.startsWith('file:') ? path : join(work, path);
    for (const input_path of [path, absolute, `file://${absolute}`]) {
      for (const format of [undefined, 'text', 'html', 'markdown', 'csv']) {
        const answer = await client.callTool({
          name: 'documents__convert_document',
          arguments: { input_path, output_format: 'text', ...(format === undefined ? {} : { format }) },
        });
        expect([input_path, format, answer.isError]).toEqual([input_path, format, true]);
        const said = JSON.stringify(answer);
        expect(said).not.toContain(adminKey);
        expect(said).not.toContain(CANARY);
        expect(said).not.toContain(folder);
      }
    }
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)('sees no document of another agent (%j)', async (mode) => {
    const owner = await connect('reader', '/servers/documents/mcp', mode);
    const stranger = await connect('other', '/servers/documents/mcp', mode);
    const made = await owner.callTool({
      name: 'convert_document',
      arguments: { content: CANARY, format: 'text' },
    });
    const { uri } = made.structuredContent as { uri: string };
    expect((await owner.readResource({ uri })).contents[0]).toMatchObject({ text: `${CANARY}\n` });
    const { resources } = await stranger.listResources();
    expect(JSON.stringify(resources)).not.toContain(uri);
    const seen = await Promise.allSettled(resources.map((resource) => stranger.readResource({ uri: resource.uri })));
    expect(JSON.stringify(seen)).not.toContain(CANARY);
  });
});

describe('an agent that was given only the sample server', () => {
  it('does not reach the hub through it', async () => {
    const client = await connect('curious', '/servers/everything/mcp');
    for (const data of [`${url}/health`, `${url.replace('127.0.0.1', 'localhost')}/health`]) {
      const answer = await client.callTool({
        name: 'gzip-file-as-resource',
        arguments: { data, outputType: 'resource' },
      });
      expect([data, answer.isError]).toEqual([data, true]);
    }
  });

  it('finds no key of the hub in its environment', async () => {
    const client = await connect('curious', '/servers/everything/mcp');
    const said = JSON.stringify(await client.callTool({ name: 'get-env', arguments: {} }));
    expect(said).not.toContain(adminKey);
    expect(said).not.toMatch(/PLUGBOARD_(?:MASTER_KEY|HOME)/u);
  });
});
