import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FakeServer } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCallWith } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import { portOf } from '../hub-process.js';
import { startBalancer } from './balancer.js';
import {
  brokenHistories,
  type Changing,
  fewestDone,
  type Histories,
  keepCreating,
  keepGranting,
  kindsOf,
} from './changers.js';
import { type Caller, legacyCaller, modernCaller, plainCaller } from './load.js';
import { startReplicas } from './replicas.js';
import { seeded } from './seeded.js';

/** FLEET_KILLS=100 FLEET_SEED=7 looks longer and elsewhere. */
const KILLS = Number(process.env['FLEET_KILLS'] ?? 3);
const SEED = Number(process.env['FLEET_SEED'] ?? 22);
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));
const POLL = { timeout: 60_000, interval: 100 };

interface Call {
  readonly caller: string;
  readonly tool: string;
  readonly key: string;
  readonly isAcknowledged: boolean;
}

const occurrences = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** Calls until it is told to stop. What fails is noted, and the next call is another one. */
const keepCalling = async (
  caller: Caller,
  tools: readonly string[],
  calls: Call[],
  stop: AbortSignal,
): Promise<void> => {
  for (let turn = 0; !stop.aborted; turn += 1) {
    const tool = tools[turn % tools.length] ?? '';
    const key = `${caller.name}-${turn}.`;
    const isAcknowledged = await caller.call(tool, key).then(
      () => true,
      () => false,
    );
    calls.push({ caller: caller.name, tool, key, isAcknowledged });
    await wait(20);
  }
};

describe('three replicas behind a balancer', () => {
  it(
    `lose and repeat nothing while replicas are killed and Postgres is restarted (seed ${SEED})`,
    { timeout: 240_000 + KILLS * 40_000 },
    async () => {
      const random = seeded(SEED);
      const executed: string[] = [];
      const count = (args: Readonly<Record<string, unknown>>) => {
        executed.push(String(args['key']));
        return { content: [{ type: 'text', text: `counted ${String(args['key'])}` }] };
      };
      const far = new FakeServer({ tools: [{ name: 'count', handler: count }] });
      onTestFinished(() => far.close());
      const adminKey = 'key-of-the-fleet-test-0123456789abcdef';
      const { postgres, hubs, start, endedBySelf } = await startReplicas(3, { PLUGBOARD_ADMIN_KEY: adminKey });
      const balancer = await startBalancer(() => hubs.map(({ url }) => url));
      const call = hubCallWith(balancer.url, adminKey);
      const notes = join(await temporaryDirectory(), 'notes');
      await writeFile(notes, '');
      const servers = {
        far: { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url },
        tiny: { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] },
      };
      for (const [server_name, config] of Object.entries(servers)) {
        expect((await call('POST', '/v1/mcp-servers', { server_name, config })).status).toBe(200);
      }
      for (const { url } of hubs) {
        await expect
          .poll(async () => JSON.stringify((await hubCallWith(url, adminKey)('GET', '/servers')).json), POLL)
          .toContain('"tiny"');
      }

      const callers = [
        await legacyCaller('legacy-1', balancer.url, adminKey),
        await legacyCaller('legacy-2', balancer.url, adminKey),
        await modernCaller('modern-1', balancer.url, adminKey),
        await modernCaller('modern-2', balancer.url, adminKey),
        plainCaller('plain', balancer.url, adminKey),
      ];
      const sessions = callers.map((caller) => caller.session());
      const stop = new AbortController();
      const calls: Call[] = [];
      const histories: Histories = new Map();
      const changing: Changing = { url: balancer.url, key: adminKey, random, histories, stop: stop.signal };
      const agent = ((await call('POST', '/v1/agents', { name: 'granted' })).json as { id: string }).id;
      const toolIds = ((await call('GET', '/v1/tools')).json as { id: string }[]).map(({ id }) => id);
      expect(toolIds.length).toBeGreaterThan(1);
      const kinds = kindsOf(servers.far);
      const work = [
        ...callers.map((caller) => keepCalling(caller, ['far__count', 'tiny__note'], calls, stop.signal)),
        ...[...kinds, ...kinds].map((kind) => keepCreating(kind, changing)),
        ...[1, 2].map(() => keepGranting(agent, toolIds, changing)),
      ];

      for (let kill = 1; kill <= KILLS; kill += 1) {
        await wait(1000 + random() * 1500);
        const index = Math.floor(random() * hubs.length);
        const victim = hubs[index];
        if (victim === undefined) throw new Error('there is no such replica');
        await victim.kill();
        if (kill % 3 === 2) await postgres.restart();
        hubs[index] = await start(portOf(victim.url));
      }
      // On a crowded machine the kills take up the time in which others would have been served.
      const fewest = () =>
        Math.min(
          ...callers.map(({ name }) => calls.filter((each) => each.caller === name && each.isAcknowledged).length),
        );
      await expect.poll(fewest, POLL).toBeGreaterThan(10);
      const changed = () => fewestDone(histories, [...kinds.map(({ name }) => name), 'grant']);
      await expect.poll(changed, POLL).toBeGreaterThan(5);
      stop.abort();
      await Promise.all(work);

      expect(endedBySelf()).toEqual([]);
      // Everybody goes on, in the same session.
      for (const caller of callers) {
        for (const tool of ['far__count', 'tiny__note']) {
          const key = `${caller.name}-last-${tool}.`;
          await caller.call(tool, key);
          calls.push({ caller: caller.name, tool, key, isAcknowledged: true });
        }
      }
      expect(callers.map((caller) => caller.session())).toEqual(sessions);

      // What was acknowledged was executed once; what was not, at most once.
      const noted = (await readFile(notes, 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
      const counts = occurrences([...executed, ...noted]);
      const wrong = calls.filter(({ key, isAcknowledged }) => {
        const times = counts.get(key) ?? 0;
        return times > 1 || (isAcknowledged && times !== 1);
      });
      expect(wrong).toEqual([]);

      // Everything has a history in which all answers are right, and which ends with what is stored.
      expect(await brokenHistories(histories, postgres, agent)).toEqual([]);
    },
  );
});
