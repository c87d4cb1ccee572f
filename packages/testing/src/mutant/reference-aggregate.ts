import type { FakeServerOptions } from '../definition/server-options.js';
import type { FakeTool, ToolSpec } from '../definition/tool.js';
import type { Mutation } from './mutation/mutation.js';
import { referenceTools } from './reference-tools.js';
import { READ_ONLY, strictTool } from './strict-tool.js';

const showMeta = strictTool({
  name: 'show_meta',
  title: 'Show metadata',
  description: 'Shows the metadata of the request that it answers.',
  annotations: READ_ONLY,
  parameters: {},
  handler: (_args, call) => JSON.stringify(call.meta),
});

/** The servers that the aggregate shows as one, and what each of them calls its tools. The third one is down. */
const SERVERS = {
  one__: ['echo', 'add', 'progress'],
  two__: ['echo', 'get_status', 'announce', 'show_meta'],
} as const;

const known: readonly ToolSpec[] = [...referenceTools, showMeta];

const shown = (prefix: string, names: readonly string[]): readonly FakeTool[] =>
  names.map((name) => {
    const tool = known.find((one) => typeof one === 'object' && one.name === name);
    if (typeof tool !== 'object') throw new Error(`The reference has no tool ${name}.`);
    return { ...tool, name: prefix + name };
  });

const aggregated = ({ pageSize: _pageSize, ...options }: FakeServerOptions): FakeServerOptions => ({
  ...options,
  tools: Object.entries(SERVERS).flatMap(([prefix, names]) => shown(prefix, names)),
});

/** The member `hub` of a target that is this aggregate. */
export const AGGREGATE = {
  servers: [
    ...Object.entries(SERVERS).map(([prefix, tools]) => ({ prefix, tools: [...tools] })),
    { prefix: 'three__', dead: true },
  ],
  changingTool: 'two__announce',
  progressTool: 'one__progress',
  metaTool: 'two__show_meta',
};

/** The reference as a hub: the tools of two servers under one roof, and a third that is down; with a defect. */
export const asAggregate = (defect: Mutation = {}): Mutation => ({
  ...defect,
  options: (options) => {
    const own = aggregated(options);
    return defect.options?.(own) ?? own;
  },
});
