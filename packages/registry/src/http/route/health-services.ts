import { healthServiceCreate, healthServiceView } from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';

const PATH = '/v1/services';
const ONE = '/v1/services/{service_name}';

/** Services that speak no MCP: whether they are well is shown in /ready and /metrics. */
export const healthServiceRoutes = ({ registry: { services } }: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'listHealthServices',
      method: 'get',
      path: PATH,
      tag: 'services',
      summary: 'List health-only services',
      answers: { 200: { description: 'The services and their last known state.', schema: z.array(healthServiceView) } },
      errors: [],
    },
    async (_input, c) => c.json(await services.list()),
  ),
  endpoint(
    {
      id: 'createHealthService',
      method: 'post',
      path: PATH,
      tag: 'services',
      summary: 'Register a health-only service',
      description:
        'Registers a service that your deployment depends on and that does not speak MCP. The hub polls it once before it responds.',
      body: healthServiceCreate,
      bodyExample: { name: 'vision', url: 'http://127.0.0.1:7072/health', interval_seconds: 30 },
      answers: { 201: { description: 'The service.', schema: healthServiceView } },
      errors: ['CONFLICT'],
    },
    async ({ body }, c) => c.json(await services.create(body, c.req.raw.signal), 201),
  ),
  endpoint(
    {
      id: 'retrieveHealthService',
      method: 'get',
      path: ONE,
      tag: 'services',
      summary: 'Read a health-only service',
      answers: { 200: { description: 'The service.', schema: healthServiceView } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => c.json(await services.get(params.service_name)),
  ),
  endpoint(
    {
      id: 'deleteHealthService',
      method: 'delete',
      path: ONE,
      tag: 'services',
      summary: 'Remove a health-only service',
      answers: { 204: { description: 'The service is no longer monitored.' } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      await services.remove(params.service_name);
      return c.body(null, 204);
    },
  ),
];
