import { healthAnswer, type HealthAnswer } from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';

export const healthRoutes = ({ version, startedAt }: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'health',
      method: 'get',
      path: '/v1/health',
      tag: 'hub',
      summary: 'Is the hub alive?',
      answers: { 200: { description: 'It is.', schema: healthAnswer } },
      errors: [],
    },
    (_input, c) =>
      c.json({ status: 'ok', version, uptime_ms: Math.round(performance.now() - startedAt) } satisfies HealthAnswer),
  ),
];
