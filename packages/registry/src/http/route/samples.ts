import { PlugboardError, serverView as serverViewSchema } from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { serverView } from '../view/server-view.js';
import { factsFrom } from './server-lookup.js';

/** The servers that a person can try before there are others. */
export const sampleRoutes = ({ registry, samples }: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'addSamples',
      method: 'post',
      path: '/v1/samples',
      tag: 'servers',
      summary: 'Add the servers that come with the hub',
      description:
        'Registers the sample servers, each a program that the hub starts. A server whose name is taken stays as it is.',
      answers: {
        200: { description: 'The sample servers that are registered now.', schema: z.array(serverViewSchema) },
      },
      errors: ['NOT_FOUND', 'STDIO_DISABLED'],
    },
    async (_input, c) => {
      if (samples === undefined) throw new PlugboardError('NOT_FOUND', 'This hub has no sample servers.');
      const servers = await samples.add(c.req.raw.signal);
      const factsOf = factsFrom(registry);
      return c.json(servers.map((server) => serverView(server, factsOf(server))));
    },
  ),
];
