import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresUnderTest } from '../../../packages/registry/src/test-support/postgres.js';
import { type HubAnswer, hubCallWith } from '../../support/hub-call.js';
import { isLinearizable, type NameOperation } from './name-history.js';

/** What was asked of each thing, by the kind of thing and its name. */
export type Histories = Map<string, readonly NameOperation[]>;

export interface Changing {
  readonly url: string;
  readonly key: string;
  readonly random: () => number;
  readonly histories: Histories;
  readonly stop: AbortSignal;
}

/** Things that are created under a name and deleted by their id. */
export interface Kind {
  readonly name: string;
  readonly path: string;
  readonly body: (name: string) => object;
  /** Few names, so that several want the same one; or a new one each time, where names may be used twice. */
  readonly pick: (random: () => number) => string;
}

const NAMES = ['one', 'two'];
/** Other names from time to time: one that was created without an answer is never deleted. */
const ROUND_MS = 4000;

const oneOf = (names: readonly string[], random: () => number): string =>
  names[Math.floor(random() * names.length)] ?? '';

/** @param config of a server that answers */
export const kindsOf = (config: object): readonly Kind[] => {
  const round = (): number => Math.floor(performance.now() / ROUND_MS);
  const shared = { pick: (random: () => number) => `${oneOf(NAMES, random)}-${round()}` };
  let keys = 0;
  return [
    { ...shared, name: 'toolset', path: '/v1/toolsets', body: (name) => ({ name }) },
    { ...shared, name: 'server', path: '/v1/mcp-servers', body: (name) => ({ server_name: name, config }) },
    { ...shared, name: 'agent', path: '/v1/agents', body: (name) => ({ name }) },
    {
      name: 'key',
      path: '/v1/keys',
      body: (name) => ({ name, role: 'viewer' }),
      pick: () => `key-${(keys += 1)}`,
    },
  ];
};

/** Asks, and notes in the history of the thing what was asked and what came of it. */
const ask = async (
  histories: Histories,
  subject: string,
  operation: Pick<NameOperation, 'kind' | 'id'>,
  call: () => Promise<HubAnswer>,
): Promise<string | undefined> => {
  const from = performance.now();
  const answer = await call().catch(() => undefined);
  const { id = operation.id } = (answer?.json ?? {}) as { id?: string };
  const isDone = answer !== undefined && answer.status < 300;
  const isRefused = answer?.status === 409 || answer?.status === 404;
  const outcome = isDone ? 'done' : isRefused ? 'refused' : 'unknown';
  const noted = { ...operation, id: operation.id ?? id, from, until: performance.now(), outcome } as const;
  histories.set(subject, [...(histories.get(subject) ?? []), noted]);
  return isDone ? noted.id : undefined;
};

const pause = (random: () => number): Promise<void> => wait(100 + random() * 300);

/** Creates and deletes things, as others do at the same time. */
export const keepCreating = async (kind: Kind, { url, key, random, histories, stop }: Changing): Promise<void> => {
  const call = hubCallWith(url, key);
  while (!stop.aborted) {
    const name = kind.pick(random);
    const subject = `${kind.name} ${name}`;
    const create = () => call('POST', kind.path, kind.body(name));
    const id = await ask(histories, subject, { kind: 'create', id: undefined }, create);
    await pause(random);
    if (id === undefined || stop.aborted) continue;
    await ask(histories, subject, { kind: 'delete', id }, () => call('DELETE', `${kind.path}/${id}`));
    await pause(random);
  }
};

const GIVEN = 'given';

/** Gives tools to an agent and takes them away, as others do with the same agent at the same time. */
export const keepGranting = async (
  agent: string,
  tools: readonly string[],
  { url, key, random, histories, stop }: Changing,
): Promise<void> => {
  const call = hubCallWith(url, key);
  while (!stop.aborted) {
    const tool = oneOf(tools, random);
    const gives = random() < 0.5;
    const operation = gives ? ({ kind: 'put', id: GIVEN } as const) : ({ kind: 'remove', id: undefined } as const);
    const path = `/v1/agents/${agent}/tools/${gives ? 'attach' : 'detach'}/${tool}`;
    await ask(histories, `grant ${tool}`, operation, () => call('PATCH', path));
    await pause(random);
  }
};

/** What the store has of each thing: its id, or that an agent has been given a tool. Two of one name are both named. */
const readStored = async (postgres: PostgresUnderTest, agent: string): Promise<ReadonlyMap<string, string>> => {
  const rows = (await postgres.query(
    'fleet',
    `select 'toolset ' || name as subject, id from toolsets
     union all select 'server ' || name, id from mcp_servers
     union all select 'agent ' || name, id from agents
     union all select 'key ' || name, id from api_keys where revoked_at is null
     union all select 'grant ' || jsonb_array_elements_text(settings::jsonb -> 'allow_tool_ids'), '${GIVEN}'
       from agents where id = '${agent}'`,
  )) as { subject: string; id: string }[];
  const stored = new Map<string, string>();
  for (const { subject, id } of rows) {
    const before = stored.get(subject);
    stored.set(subject, before === undefined ? id : `${before} and ${id}`);
  }
  return stored;
};

/** The things whose history has a wrong answer, or does not end with what is stored. */
export const brokenHistories = async (
  histories: Histories,
  postgres: PostgresUnderTest,
  agent: string,
): Promise<readonly object[]> => {
  const stored = await readStored(postgres, agent);
  return [...histories]
    .filter(([subject, history]) => !isLinearizable(history, stored.get(subject)))
    .map(([subject, history]) => ({ subject, stored: stored.get(subject), history }));
};

/** How many changes were acknowledged, of the kind of thing that had the fewest. */
export const fewestDone = (histories: Histories, kinds: readonly string[]): number => {
  const done = (kind: string): number =>
    [...histories]
      .filter(([subject]) => subject.startsWith(`${kind} `))
      .flatMap(([, history]) => history)
      .filter(({ outcome }) => outcome === 'done').length;
  return Math.min(...kinds.map(done));
};
