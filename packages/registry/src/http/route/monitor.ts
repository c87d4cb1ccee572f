import { monitoredServer, monitorHistory, monitorHistoryQuery, monitorView, PlugboardError } from '@plugboard/contract';
import type { Monitor } from '../../port/monitor.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';

const monitorOf = ({ monitor }: AdminContext): Monitor => {
  if (monitor !== undefined) return monitor;
  throw new PlugboardError('PERMISSION_DENIED', 'This hub has no monitor.');
};

/** What scheduled probes of the registered servers found. */
export const monitorRoutes = (admin: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'readMonitor',
      method: 'get',
      path: '/v1/monitor',
      tag: 'watch',
      summary: 'Read the results of probes',
      description:
        'For each server: its state, availability, error budget, latencies by method and canary tool, contract drift, and when its certificate and token expire. The figures are kept in memory and cover the window; the history goes back further.',
      answers: { 200: { description: 'The state of every server.', schema: monitorView } },
      errors: [],
    },
    async (_input, c) => c.json(await monitorOf(admin).view()),
  ),
  endpoint(
    {
      id: 'readMonitorHistory',
      method: 'get',
      path: '/v1/monitor/{server}/history',
      tag: 'watch',
      summary: 'Read the history of the probes of a server',
      description: 'Figures by method and canary tool in buckets of equal width, from the store.',
      query: monitorHistoryQuery,
      answers: { 200: { description: 'The buckets, oldest first.', schema: monitorHistory } },
      errors: ['SERVER_NOT_FOUND'],
    },
    async ({ params, query }, c) =>
      c.json(
        await monitorOf(admin).history(params.server, { hours: query.hours, bucketMinutes: query.bucket_minutes }),
      ),
  ),
  endpoint(
    {
      id: 'probeServer',
      method: 'post',
      path: '/v1/monitor/{server}/probe',
      tag: 'watch',
      summary: 'Probe a server now',
      description: 'Works on hubs without scheduled probes too. The request succeeds even if the server fails.',
      answers: { 200: { description: 'The state of the server after the probe.', schema: monitoredServer } },
      errors: ['SERVER_NOT_FOUND'],
    },
    async ({ params }, c) => c.json(await monitorOf(admin).probe(params.server, c.req.raw.signal)),
  ),
];
