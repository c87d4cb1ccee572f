import type { FakeServerOptions } from '../definition/server-options.js';
import type { FakeTool } from '../definition/tool.js';
import type { Mutation } from './mutation/mutation.js';

type ChangeOptions = NonNullable<Mutation['options']>;

/** Changes one tool of the reference. */
export const changeTool =
  (name: string, change: Partial<FakeTool>): ChangeOptions =>
  (options: FakeServerOptions): FakeServerOptions => ({
    ...options,
    tools: (options.tools ?? []).map((tool) =>
      typeof tool === 'object' && tool.name === name ? { ...tool, ...change } : tool,
    ),
  });

/** Adds a tool that no check may call, unless it says that it only reads. */
export const addTool =
  (tool: FakeTool): ChangeOptions =>
  (options) => ({
    ...options,
    tools: [...(options.tools ?? []), { description: 'A tool that a defect added.', result: 'done', ...tool }],
  });

/** The echo tool, which still refuses what its schema forbids, with a change to what it gives back. */
export const changedEcho = (change: (text: string) => string): Mutation => ({
  options: changeTool('echo', {
    handler: (args) =>
      typeof args['text'] === 'string' && Object.keys(args).length === 1
        ? change(args['text'])
        : { content: [{ type: 'text', text: 'The arguments do not fit.' }], isError: true },
  }),
});
