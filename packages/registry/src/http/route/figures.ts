import { callHistory, callSummary } from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';

const calls = ({ dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'summariseCalls',
      method: 'get',
      path: '/v1/calls',
      tag: 'watch',
      summary: 'Summarise requests by method and by tool',
      description: 'Since this process started: the number of requests, the number of failures, and durations.',
      answers: { 200: { description: 'The figures.', schema: callSummary } },
      errors: [],
    },
    (_input, c) => c.json(dataPlane.calls()),
  );

const history = ({ dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'readCallHistory',
      method: 'get',
      path: '/v1/calls/history',
      tag: 'watch',
      summary: 'Read the tool calls of the last hour',
      description:
        'Minute by minute, for all servers together and for each server: the number of calls, the number of failures, and percentiles of the duration, exact to about five per cent. Kept in memory.',
      answers: { 200: { description: 'The periods with at least one call.', schema: callHistory } },
      errors: [],
    },
    (_input, c) => c.json(dataPlane.history()),
  );

const metrics = ({ dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'readMetrics',
      method: 'get',
      path: '/metrics',
      tag: 'watch',
      summary: 'Read metrics in the Prometheus format',
      answers: {
        200: { description: 'Metrics in the text format of Prometheus.', schema: z.string(), mediaType: 'text/plain' },
      },
      errors: [],
    },
    async (_input, c) => {
      const { contentType, text } = await dataPlane.metrics();
      return c.body(text, 200, { 'Content-Type': contentType });
    },
  );

export const figureRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [calls, history, metrics].map((route) => route(admin));
