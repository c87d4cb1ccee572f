import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Era } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectThrough, type Door, DOORS, type EraClient } from '../../support/era-client.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { readNotes, tinyServer } from '../../support/tiny-server.js';
import { addServer } from './rig.js';

const CALLS = 200;
const EARLY = 120;
const ERAS: readonly Era[] = ['legacy', 'modern'];
const ASKABLE = { elicitation: {}, sampling: {}, roots: {} };
const CELLS = DOORS.flatMap((door) =>
  ERAS.flatMap((server) => [
    [door, server, 'no capabilities', {}] as const,
    [door, server, 'capabilities', ASKABLE] as const,
  ]),
);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

interface Outcome {
  readonly key: string;
  readonly failure: string | undefined;
}

const note = (client: EraClient, key: string, ms: number): Promise<Outcome> =>
  client.call('note', { key, ms }).then(
    () => ({ key, failure: undefined }),
    (thrown: unknown) => ({ key, failure: String(thrown) }),
  );

let hub: RealHub;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-crash-'));
  hub = await startRealHub();
});
afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a stdio server that is killed while 200 calls run', () => {
  it.each(CELLS)('%s client, %s server, %s', async (door: Door, era, declared, capabilities) => {
    const name = `${door}-${era}-${declared.replace(' ', '-')}`;
    const file = join(folder, name);
    await addServer(hub, name, tinyServer(era, file));
    await using client = await connectThrough(door, hub.url, `/servers/${name}`, { capabilities });
    await using bystander = await connectThrough(door, hub.url, `/servers/${name}`, { capabilities });

    const early = Array.from({ length: EARLY }, (_, index) => note(client, `early ${index}`, 20 * (index % 20)));
    await expect.poll(() => readNotes(file).length, { interval: 5, timeout: 30_000 }).toBeGreaterThanOrEqual(EARLY / 2);
    const killed = readNotes(file).at(-1)?.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    // While it dies, anything may reach it; once it is dead, nothing is in flight in it any more.
    await expect.poll(() => isAlive(killed), { interval: 1, timeout: 30_000 }).toBe(false);
    const late = Array.from({ length: CALLS - EARLY }, (_, index) =>
      note(index % 4 === 0 ? bystander : client, `late ${index}`, 0),
    );

    const failed = (await Promise.all(early)).filter(({ failure }) => failure !== undefined);
    const notes = readNotes(file);
    const elsewhere = new Set(notes.filter(({ pid }) => pid !== killed).map(({ key }) => key));
    for (const { key, failure } of failed) {
      expect(failure).toContain('The tool "note" may have been executed');
      expect(elsewhere).not.toContain(key);
    }
    expect((await Promise.all(late)).filter(({ failure }) => failure !== undefined)).toEqual([]);
    const keys = readNotes(file).map(({ key }) => key);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});
