import { callSummary } from '@plugboard/contract';
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
      description: 'Since this process started: how many, how many failed, and how long they took.',
      answers: { 200: { description: 'The figures.', schema: callSummary } },
      errors: [],
    },
    (_input, c) => c.json(dataPlane.calls()),
  );

const metrics = ({ dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'readMetrics',
      method: 'get',
      path: '/metrics',
      tag: 'watch',
      summary: 'Read metrics as Prometheus does',
      answers: { 200: { description: 'The text form of Prometheus.', schema: z.string(), mediaType: 'text/plain' } },
      errors: [],
    },
    async (_input, c) => {
      const { contentType, text } = await dataPlane.metrics();
      return c.body(text, 200, { 'Content-Type': contentType });
    },
  );

export const figureRoutes = (admin: AdminContext): readonly Endpoint[] => [calls, metrics].map((route) => route(admin));
