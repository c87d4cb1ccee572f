import { statusFor, withHeaders } from './http-defect.js';
import { defineMutant, type Mutant } from './mutant.js';

export const sseMutants: readonly Mutant[] = [
  defineMutant({
    name: 'endpoint-is-empty',
    kills: 'SSE-01',
    alsoKills: ['SSE-03', 'SSE-07'],
    defect: 'A client that asks like a browser gets an endpoint event that names no address.',
    mutation: {
      http: {
        event: (text, { headers }) =>
          headers['cache-control'] === 'no-cache' ? text.replace(/^(event: endpoint\ndata: ).*$/mu, '$1') : text,
      },
    },
  }),
  defineMutant({
    name: 'endpoint-is-elsewhere',
    kills: 'SSE-02',
    defect: 'Messages are to go to another origin, under another name of the same machine.',
    mutation: () => {
      let port = '';
      return {
        http: {
          request: (asked) => {
            port = asked.headers['host']?.split(':')[1] ?? port;
            return asked;
          },
          event: (text) =>
            text.includes('event: endpoint') ? text.replace('data: /', `data: http://localhost:${port}/`) : text,
        },
      };
    },
  }),
  defineMutant({
    name: 'answers-have-their-own-event',
    kills: 'SSE-03',
    defect: 'Answers come as events of the type response.',
    mutation: {
      http: { event: (text) => text.replace(/^event: message$/mu, 'event: response') },
    },
  }),
  defineMutant({
    name: 'unknown-session-is-accepted',
    kills: 'SSE-04',
    defect: 'A message to a session that does not exist is accepted.',
    mutation: { http: { response: statusFor(({ method }, { status }) => method === 'POST' && status === 404, 202) } },
  }),
  defineMutant({
    name: 'unknown-session-is-not-answered',
    kills: 'SSE-04',
    defect: 'A message to a session that does not exist gets no answer at all.',
    transports: ['sse'],
    mutation: { http: { withhold: ({ status }, { method }) => method === 'POST' && status === 404 } },
  }),
  defineMutant({
    name: 'sse-trusts-every-origin',
    kills: 'SSE-06',
    defect: 'The Origin header is ignored.',
    transports: ['sse'],
    mutation: { http: { request: (asked) => withHeaders(asked, { origin: undefined }) } },
  }),
  defineMutant({
    name: 'answers-go-to-every-stream',
    kills: 'SSE-07',
    alsoKills: ['RPC-04', 'RPC-07'],
    defect: 'The answer to one client goes to the streams of all.',
    mutation: { http: { broadcast: (message) => message['id'] === 'mine-1' } },
  }),
];
