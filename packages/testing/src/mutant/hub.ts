import { isObject, type JsonObject } from '../json-rpc/message.js';
import { addTool } from './change-options.js';
import { changeResult, defineMutant, replaceResult, without, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { AGGREGATE, asAggregate } from './reference-aggregate.js';

/** A mutant of the aggregate: only a target that says what it is lets anybody notice. */
const hubMutant = (mutant: Mutant): Mutant =>
  defineMutant({ transports: ['stdio', 'streamable-http'], target: { hub: AGGREGATE }, ...mutant });

const toolsOf = (result: JsonObject): readonly JsonObject[] =>
  Array.isArray(result['tools']) ? result['tools'].filter(isObject) : [];

/** Changes what tools/list shows; everything can still be called. */
const listing = (change: (tools: readonly JsonObject[]) => readonly JsonObject[]): Mutation =>
  asAggregate({ toClient: changeResult('tools/list', (result) => ({ ...result, tools: change(toolsOf(result)) })) });

const isOf = (tool: JsonObject, prefix: string): boolean => String(tool['name']).startsWith(prefix);

const rotating = (): Mutation => {
  let readings = 0;
  return listing((tools) => {
    readings += 1;
    const from = readings % tools.length;
    return [...tools.slice(from), ...tools.slice(0, from)];
  });
};

const withoutNotices = (method: string): Mutation =>
  asAggregate({ toClient: (message) => (message['method'] === method ? undefined : message) });

const losingMeta: NonNullable<Mutation['toServer']> = (message) => {
  const { params } = message;
  if (message['method'] !== 'tools/call' || !isObject(params) || !isObject(params['_meta'])) return message;
  return { ...message, params: { ...params, _meta: without(params['_meta'], 'traceparent') } };
};

const DEAD = { code: -32_603, message: 'The server three does not answer' };

export const hubMutants: readonly Mutant[] = [
  hubMutant({
    name: 'union-without-a-tool',
    kills: 'HUB-01',
    defect: 'The aggregate leaves out a tool of one of its servers.',
    mutation: listing((tools) => tools.filter(({ name }) => name !== 'two__get_status')),
  }),
  hubMutant({
    name: 'union-without-prefix',
    kills: 'HUB-01',
    defect: 'The aggregate shows a tool under the name that its server gives it.',
    mutation: listing((tools) =>
      tools.map((tool) => (tool['name'] === 'two__get_status' ? { ...tool, name: 'get_status' } : tool)),
    ),
  }),
  hubMutant({
    name: 'union-with-a-stranger',
    kills: 'HUB-01',
    defect: 'The aggregate shows a tool that its server does not have.',
    mutation: asAggregate({ options: addTool({ name: 'one__gone', inputSchema: { type: 'object' } }) }),
  }),
  hubMutant({
    name: 'union-in-another-order-each-time',
    kills: 'HUB-01',
    alsoKills: ['LIF-19'],
    doubtful: true,
    defect: 'Each reading of the list has another order.',
    mutation: rotating,
  }),
  hubMutant({
    name: 'list-that-fails-with-one-server',
    kills: 'HUB-02',
    alsoKills: ['HUB-01', 'LIF-10', 'LIF-19', 'RPC-14'],
    defect: 'One server is down, and the whole list fails.',
    mutation: asAggregate({ toClient: replaceResult('tools/list', DEAD) }),
  }),
  hubMutant({
    name: 'list-that-ends-at-the-dead-server',
    kills: 'HUB-02',
    alsoKills: ['HUB-01'],
    defect: 'One server is down, and those after it are not listed.',
    mutation: listing((tools) => tools.filter((tool) => isOf(tool, 'one__'))),
  }),
  hubMutant({
    name: 'list-changed-kept-back',
    kills: 'HUB-03',
    defect: 'The aggregate does not pass on that the tools of a server changed.',
    transports: ['stdio'],
    // Nothing comes, and that is waited for.
    target: { hub: AGGREGATE, budgets: { requestMs: 1_000 } },
    mutation: withoutNotices('notifications/tools/list_changed'),
  }),
  hubMutant({
    name: 'progress-kept-back',
    kills: 'HUB-05',
    defect: 'The aggregate does not pass on the progress of a server.',
    mutation: withoutNotices('notifications/progress'),
  }),
  hubMutant({
    name: 'trace-kept-back',
    kills: 'HUB-10',
    defect: 'The aggregate does not pass on the trace of a call.',
    mutation: asAggregate({ toServer: losingMeta }),
  }),
  hubMutant({
    name: 'names-that-collide',
    kills: 'HUB-11',
    alsoKills: ['HUB-01'],
    defect: 'Tools of two servers have one name in the aggregate.',
    mutation: listing((tools) =>
      tools.map((tool) => (tool['name'] === 'two__echo' ? { ...tool, name: 'one__echo' } : tool)),
    ),
  }),
  hubMutant({
    name: 'name-too-long-for-providers',
    kills: 'HUB-11',
    alsoKills: ['HUB-01'],
    defect: 'A name has 70 characters behind its prefix.',
    mutation: asAggregate({ options: addTool({ name: `one__${'a'.repeat(70)}`, inputSchema: { type: 'object' } }) }),
  }),
];
