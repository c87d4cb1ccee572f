import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { MAIN, run, serverFile, temporaryDirectory } from './cli-process.js';

/** What an official client sees of a program. */
const converse = async <T>(cwd: string, args: readonly string[], work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ name: 'stranger', version: '1.0.0' });
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, PLUGBOARD_HOME: cwd };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], cwd, env, stderr: 'ignore' }),
  );
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

const SERVERS: readonly (readonly [string, readonly string[], (client: Client) => Promise<unknown>])[] = [
  [
    'everything',
    ['stdio'],
    async (client) => [
      await client.listTools(),
      await client.callTool({ name: 'echo', arguments: { message: 'hello' } }),
      await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } }),
      await client.listResources(),
    ],
  ],
  [
    'filesystem',
    ['.'],
    async (client) => [
      await client.listTools(),
      await client.callTool({ name: 'list_allowed_directories', arguments: {} }),
    ],
  ],
  [
    'memory',
    [],
    async (client) => [await client.listTools(), await client.callTool({ name: 'read_graph', arguments: {} })],
  ],
];

describe('record and replay', () => {
  it.each(SERVERS)(
    '%s: the tap is transparent, the replay answers alike, and the server still does',
    async (name, args, talk) => {
      const home = await temporaryDirectory();
      const server = [process.execPath, serverFile(name), ...args];
      const live = await converse(home, [MAIN, 'record', '-o', 'session.jsonl', '--', ...server], talk);
      expect(await readFile(join(home, 'session.jsonl'), 'utf8')).toContain('plugboard.recording/1');
      expect(await converse(home, [MAIN, 'replay', 'session.jsonl'], talk)).toEqual(live);
      const { code, stdout } = await run(['replay', 'session.jsonl', '--against', '--', ...server], { home });
      expect(stdout).toContain(' 0 failed');
      expect(code).toBe(0);
    },
  );
});
