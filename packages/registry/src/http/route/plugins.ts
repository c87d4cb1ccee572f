import { PlugboardError, pluginOutcome, pluginRun, pluginView } from '@plugboard/contract';
import { z } from 'zod';
import type { Plugins } from '../../port/plugins.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';

const NONE: Plugins = {
  list: () => Promise.resolve([]),
  run: () => Promise.reject(new PlugboardError('NOT_FOUND', 'This hub has no plug-ins.')),
};

/** Plug-ins are named by the configuration file alone: no route adds, changes or removes one. */
export const pluginRoutes = ({ plugins = NONE }: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'listPlugins',
      method: 'get',
      path: '/v1/plugins',
      tag: 'plugins',
      summary: 'List plug-ins',
      description: 'Loads plug-ins that are not loaded yet. A plug-in that fails to load has `error`.',
      query: z.object({
        server: z.string().max(256).optional().describe('only those that work with this server'),
      }),
      answers: { 200: { description: 'The plug-ins of the hub.', schema: z.array(pluginView) } },
      errors: [],
    },
    async ({ query }, c) => c.json(await plugins.list(c.req.raw.signal, query.server)),
  ),
  endpoint(
    {
      id: 'runPlugin',
      method: 'post',
      path: '/v1/plugins/{plugin_name}/run',
      tag: 'plugins',
      summary: 'Run an action of a plug-in',
      description:
        'If the plug-in fails, `error` in the response has the reason, and the status is `error` or `partial`.',
      body: pluginRun,
      bodyExample: { action: 'person', parameters: { username: 'Ada' } },
      answers: { 200: { description: 'The outcome.', schema: pluginOutcome } },
      errors: ['NOT_FOUND'],
    },
    async ({ params, body }, c) => c.json(await plugins.run(params.plugin_name, body, c.req.raw.signal)),
  ),
];
