import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type PostgresUnderTest, startPostgres } from '../../../packages/registry/src/test-support/postgres.js';
import { hubCall } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import { type HubProcess, startHubProcess } from '../hub-process.js';

export interface Replicas {
  readonly postgres: PostgresUnderTest;
  readonly databaseUrl: string;
  readonly hubs: HubProcess[];
  /** The replicas that ended although the test did not end them. */
  readonly endedBySelf: () => readonly string[];
  /** Starts one more, or one in the place of another. */
  readonly start: (port?: string, own?: Readonly<Record<string, string>>, main?: string) => Promise<HubProcess>;
}

const UNAVAILABLE = 503;
const CONFLICT = 409;
const POLL = { timeout: 60_000, interval: 200 };

/** Creates a toolset, with as many tries as a crowded machine needs: one that got no answer may have been carried out. */
export const createToolsetSoon = async ({ url }: HubProcess, name: string): Promise<void> => {
  let mayExist = false;
  const create = async (): Promise<number> => {
    const { status } = await hubCall(url, 'POST', '/v1/toolsets', { name });
    const isThere = status === CONFLICT && mayExist;
    mayExist ||= status === UNAVAILABLE;
    return isThere ? 200 : status;
  };
  await expect.poll(create, POLL).toBeLessThan(300);
};

/** Several hubs on one Postgres, with one master key and a home each. */
export const startReplicas = async (count: number, more: Readonly<Record<string, string>> = {}): Promise<Replicas> => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  await postgres.createDatabase('fleet');
  const databaseUrl = postgres.urlOf('fleet');
  const env = {
    PLUGBOARD_DATABASE_URL: databaseUrl,
    PLUGBOARD_MASTER_KEY: randomBytes(32).toString('base64'),
    ...more,
  };
  const started: HubProcess[] = [];
  const start: Replicas['start'] = async (port, own = {}, main) => {
    const hub = await startHubProcess(await temporaryDirectory(), { ...env, ...own }, port, main);
    started.push(hub);
    return hub;
  };
  const hubs: HubProcess[] = [];
  for (let index = 0; index < count; index += 1) hubs.push(await start());
  const endedBySelf = (): readonly string[] => started.flatMap((hub) => hub.endedBySelf() ?? []);
  return { postgres, databaseUrl, hubs, start, endedBySelf };
};
