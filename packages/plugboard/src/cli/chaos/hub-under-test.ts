import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultyPlace, HubUnderTest } from '@plugboard/check';
import { isJsonObject } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import { ownProgram } from '../command/own-program.js';

const START_MS = 30_000;
const STOP_MS = 10_000;
const POLL_MS = 100;
const NAME = 'target';

const entryOf = (place: FaultyPlace): Record<string, unknown> => {
  if ('url' in place) {
    const { transport, url, headers } = place;
    return { type: transport === 'sse' ? 'sse' : 'http', url, headers };
  }
  const [command = '', ...args] = place.command;
  return { command, args, env: place.env, ...(place.cwd === undefined ? {} : { cwd: place.cwd }) };
};

const notStarted = (): PlugboardError =>
  new PlugboardError('HUB_UNREACHABLE', 'The hub for the fault suite did not start.', {
    hint: 'Run `plugboard doctor`.',
  });

const addressIn = (child: ReturnType<typeof spawn>): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(notStarted()), START_MS);
    child.once('exit', () => reject(notStarted()));
    // It is read to its end: a hub that cannot write its log stops.
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const found = /http:\/\/[\d.]+:\d+/u.exec(text);
      if (found === null) return;
      clearTimeout(late);
      resolve(found[0]);
    });
  });

/** Until the hub has read the tools of the server. */
const untilSynced = async (url: string, headers: Readonly<Record<string, string>>): Promise<void> => {
  const end = Date.now() + START_MS;
  while (Date.now() < end) {
    const listed: unknown = await fetch(`${url}/servers/${NAME}/tools`, { headers })
      .then((response) => response.json())
      .catch(() => undefined);
    if (JSON.stringify(listed ?? {}).includes('inputSchema')) return;
    await sleep(POLL_MS);
  }
  throw new PlugboardError('UPSTREAM_TIMEOUT', 'The hub for the fault suite could not read the tools of the server.');
};

const keyIn = async (home: string): Promise<string | undefined> => {
  const state: unknown = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8'));
  return isJsonObject(state) && typeof state['key'] === 'string' ? state['key'] : undefined;
};

/** A hub of its own in a process of its own, with nothing but the server behind the fault proxy. */
export const openHubUnderTest = async ({ process }: CommandContext, place: FaultyPlace): Promise<HubUnderTest> => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-chaos-'));
  const config = join(home, 'plugboard.json');
  await writeFile(config, JSON.stringify({ mcpServers: { [NAME]: entryOf(place) } }));
  const child = spawn(process.execPath, [ownProgram(), 'serve', '--port', '0', '--home', home, '--config', config], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(late);
    }
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const url = await addressIn(child);
    const key = await keyIn(home);
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    await untilSynced(url, headers);
    return { url: `${url}/servers/${NAME}/mcp`, headers, close };
  } catch (error) {
    await close();
    throw error;
  }
};
