import { withHeaders } from './http-defect.js';
import { defineMutant, type Mutant } from './mutant.js';

const isResumption = (headers: Readonly<Record<string, string>>): boolean => headers['last-event-id'] !== undefined;

const PROGRESS = { load: { call: { tool: 'progress', arguments: { steps: 4, ms: 1 } } } };

/** Servers whose streams are wrong. `kills` names the metric whose threshold must fail. */
export const STREAM_MUTANTS: readonly Mutant[] = [
  defineMutant({
    name: 'never-resumes',
    kills: 'resumption_failed',
    defect: 'A client that names its last event gets a new stream, without what it missed.',
    transports: ['streamable-http'],
    mutation: {
      http: {
        request: (asked) => (isResumption(asked.headers) ? withHeaders(asked, { 'last-event-id': undefined }) : asked),
      },
    },
    target: PROGRESS,
  }),
  defineMutant({
    name: 'loses-events-on-resumption',
    kills: 'events_lost',
    defect: 'A resumed stream has the answer, but not the notifications before it.',
    transports: ['streamable-http'],
    mutation: {
      http: {
        event: (text, { headers }) => (isResumption(headers) && text.includes('notifications/progress') ? '' : text),
      },
    },
    target: PROGRESS,
  }),
  defineMutant({
    name: 'ends-held-streams',
    kills: 'stream_lost',
    defect: 'The listening stream ends at once, and is refused the next time.',
    transports: ['streamable-http'],
    mutation: () => {
      const seen = new Set<string>();
      return {
        http: {
          answer: ({ method, headers }) => {
            if (method !== 'GET' || isResumption(headers)) return undefined;
            const session = headers['mcp-session-id'] ?? '';
            if (seen.has(session)) return { status: 503, headers: {}, body: '' };
            seen.add(session);
            return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': bye\n\n' };
          },
        },
      };
    },
  }),
];
