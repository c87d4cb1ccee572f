import { hubEvent } from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { eventStream } from '../stream/event-stream.js';

export const eventRoutes = ({ registry, limits }: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'watchEvents',
      method: 'get',
      path: '/v1/events',
      tag: 'watch',
      summary: 'Watch what happens',
      description:
        'A stream of server-sent events, starting now: servers added, changed, removed, synced or found failing, tools quarantined, approved and rejected, toolsets changed, sessions lost, runs of the referee. Past events are not replayed. Comments keep the stream alive.',
      answers: {
        200: { description: 'The events, one JSON object each.', schema: hubEvent, mediaType: 'text/event-stream' },
      },
      errors: [],
    },
    (_input, c) =>
      eventStream({ subscribe: (listener) => registry.events.subscribe(listener), limits, signal: c.req.raw.signal }),
  ),
];
