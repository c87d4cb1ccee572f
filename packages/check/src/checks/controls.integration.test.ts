import type { CheckTransport } from '@plugboard/contract';
import { memoryNetwork, type Mutation } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { runCell } from '../test-support/cell.js';
import { listens } from '../test-support/describe-family.js';
import { REFERENCES, type Reference } from '../test-support/references.js';
import { CHECKS } from './registry.js';

// The audit of controls. Before a check says that a server breaks a MUST, the same request in its good form has to succeed. So
// no check may find a violation on a server that is in trouble whatever it is asked. Every MUST check takes part, new ones too;
// what the trouble itself breaks is listed with the reason.

const MUST = CHECKS.filter(({ level, tier, id }) => level === 'MUST' && tier !== 'intrusive' && !listens(id));

/** Why a finding is right although the server is in trouble. */
type Rightly = Readonly<Record<string, string>>;

interface Trouble {
  readonly what: string;
  readonly transports: readonly CheckTransport[];
  /** Anew for each server. */
  readonly defect: () => Mutation;
  readonly rightly?: Rightly;
}

const OPENING = new Set<unknown>(['initialize', 'server/discover']);

/** Answers requests with an error, each of them or those whose number says so. */
const failing = (code: number, isBad: (method: string, count: number) => boolean): Mutation => {
  let count = 0;
  return {
    answer: ({ id, method }) => {
      if (id === undefined || typeof method !== 'string') return undefined;
      count += 1;
      if (!isBad(method, count)) return undefined;
      return { jsonrpc: '2.0', id, error: { code, message: 'The backend is down' } };
    },
  };
};

const OPENS = /"method":"(?:initialize|notifications\/initialized|server\/discover)"/u;

/** Answers POSTs with a page and this status, each of them or those whose number says so. */
const refusing = (status: number, isBad: (body: string, count: number) => boolean): Mutation => {
  let count = 0;
  return {
    http: {
      answer: ({ method, body }) => {
        if (method !== 'POST') return undefined;
        count += 1;
        return isBad(body, count)
          ? { status, headers: { 'content-type': 'text/html' }, body: '<p>Not now</p>' }
          : undefined;
      },
    },
  };
};

/** The same each time, and so many of a hundred. */
const sometimes = (percent: number): ((what: string, count: number) => boolean) => {
  let state = percent;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state / 2 ** 31) * 100 < percent;
  };
};

const ALL: readonly CheckTransport[] = ['stdio', 'streamable-http', 'sse'];
const HTTP: readonly CheckTransport[] = ['streamable-http', 'sse'];

const DEAD_LIST = { 'HUB-02': 'one server that is down makes the whole list fail: that is what the rule forbids' };

const REMOVED = { 'LIF-24': 'the modern era removed the method, so that only -32601 is right' };

const ONE_METHOD: Readonly<Record<string, Rightly>> = {
  ping: { ...REMOVED, 'LIF-27': 'ping needs nothing that could be down' },
  'tools/list': DEAD_LIST,
  'tools/call': { 'HUB-02': 'no tool of the servers that are up answers' },
  'resources/list': {},
  'resources/read': {},
  'prompts/list': {},
  'prompts/get': {},
  'completion/complete': {},
  'logging/setLevel': REMOVED,
  'resources/subscribe': REMOVED,
  'subscriptions/listen': {},
  'tasks/get': {},
  'tasks/result': REMOVED,
  'tasks/cancel': { 'TSK-05': 'no task can be cancelled, although the server declares it' },
};

const isLater = (method: string): boolean => !OPENING.has(method);

const TROUBLES: readonly Trouble[] = [
  ...[-32_603, -32_000, -32_602].map((code) => ({
    what: `answers everything but the opening with ${code}`,
    transports: ALL,
    defect: () => failing(code, isLater),
    rightly: DEAD_LIST,
  })),
  ...[5, 40].map((most) => ({
    what: `is down after ${most} requests`,
    transports: ALL,
    defect: () => failing(-32_603, (method, count) => isLater(method) && count > most),
    rightly: DEAD_LIST,
  })),
  ...[403, 404, 500].map((status) => ({
    what: `answers everything but the opening with HTTP ${status}`,
    transports: HTTP,
    defect: () => refusing(status, (body) => !OPENS.test(body)),
    rightly: DEAD_LIST,
  })),
  ...[403, 500].flatMap((status) =>
    [5, 30].map((most) => ({
      what: `answers with HTTP ${status} after ${most} requests`,
      transports: HTTP,
      defect: () => refusing(status, (_body, count) => count > most),
      rightly: DEAD_LIST,
    })),
  ),
  ...[-32_603, -32_000].map((code) => ({
    what: `fails with ${code} at every tenth request, by chance`,
    transports: ALL,
    defect: () => {
      const isBad = sometimes(10);
      return failing(code, (method, count) => isLater(method) && isBad(method, count));
    },
  })),
  ...Object.entries(ONE_METHOD).map(([wanted, rightly]) => ({
    what: `answers ${wanted} always with -32000`,
    transports: ['streamable-http'] as const,
    defect: () => failing(-32_000, (method) => method === wanted),
    rightly,
  })),
];

const violations = async (reference: Reference, transport: CheckTransport, defect: Mutation) => {
  const { results } = await runCell(reference.server('both', defect), transport, {
    checks: MUST.filter(({ family }) => reference.judges(family)),
    target: { ...reference.target, budgets: { requestMs: 1_500 } },
    network: memoryNetwork(),
  });
  return results.filter(({ verdict }) => verdict === 'fail');
};

describe.each(REFERENCES.map((reference) => [reference.name, reference] as const))(
  'no MUST is broken by %s that',
  (_name, reference) => {
    const cases = TROUBLES.flatMap((trouble) =>
      trouble.transports
        .filter((transport) => reference.transports.includes(transport))
        .map((transport) => [trouble.what, transport, trouble] as const),
    );

    test.each(cases)('%s, over %s', async (_what, transport, { defect, rightly = {} }) => {
      const found = await violations(reference, transport, defect());
      const wrongly = found.filter(({ id }) => !Object.hasOwn(rightly, id));
      expect(wrongly.map(({ id, era, detail }) => `${id} ${era}: ${detail ?? ''}`)).toEqual([]);
    });
  },
);
