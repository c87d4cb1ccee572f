import type { CheckTransport } from '@plugboard/contract';
import {
  AGGREGATE,
  aggregateServer,
  guardedServer,
  referenceServer,
  taskingServer,
  type Eras,
  type Mutation,
  type MutantServer,
} from '@plugboard/testing';
import type { Family } from '../model/family.js';
import type { CheckTargetInput } from '../target/target.js';

const each = (names: readonly string[], entry: object = {}): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, entry]));

/** Tools that ask or wait have families of their own; what runs a job must be allowed by its name. */
export const TASK_TARGET: CheckTargetInput = {
  tools: {
    ...each(['run_job', 'run_long_job', 'ask_in_job']),
    ...each(['sleep', 'progress', 'elicit', 'sample', 'roots', 'open_page', 'log', 'announce'], { safe: false }),
  },
};

export const HUB_TARGET: CheckTargetInput = {
  hub: AGGREGATE,
  tools: { one__progress: { arguments: { steps: 2 } } },
};

/** A server without a known defect, and the families that are proven on it. */
export interface Reference {
  readonly name: string;
  readonly server: (eras?: Eras, defect?: Mutation) => MutantServer;
  readonly transports: readonly CheckTransport[];
  readonly judges: (family: Family) => boolean;
  readonly target: CheckTargetInput;
}

const APART: ReadonlySet<Family> = new Set<Family>(['tasks', 'authorization', 'hub']);

export const REFERENCES: readonly Reference[] = [
  {
    name: 'the reference',
    server: referenceServer,
    transports: ['stdio', 'streamable-http', 'sse'],
    judges: (family) => !APART.has(family),
    target: {},
  },
  {
    name: 'a server with tasks',
    server: taskingServer,
    transports: ['streamable-http'],
    judges: (family) => family === 'tasks',
    target: TASK_TARGET,
  },
  {
    name: 'a server behind OAuth',
    server: guardedServer,
    transports: ['streamable-http'],
    judges: (family) => family === 'authorization',
    target: {},
  },
  {
    name: 'a hub',
    server: aggregateServer,
    transports: ['streamable-http'],
    judges: (family) => family === 'hub',
    target: HUB_TARGET,
  },
];
