import { isModern, isNotice, refused, statusFor, withHeaders } from './http-defect.js';
import { mirroredHeaderMutants } from './mirrored-headers.js';
import type { Mutation } from './mutation/mutation.js';
import { defineMutant, type Mutant } from './mutant.js';

/** Keeps events as a store does that names them by time and a random number: those of one millisecond change places. */
const replaysByChance = (): Mutation => {
  const streams = new Map<string, { readonly order: number; readonly text: string }[]>();
  const idOf = (text: string): string => /^id: (?<id>.*)$/mu.exec(text)?.groups?.['id'] ?? '';
  return {
    http: {
      event: (text) => {
        const id = idOf(text);
        const stream = id.slice(0, id.lastIndexOf('_'));
        if (id !== '') {
          streams.set(stream, [...(streams.get(stream) ?? []), { order: Date.now() + Math.random(), text }]);
        }
        return text;
      },
      answer: ({ method, headers }) => {
        const last = headers['last-event-id'];
        if (method !== 'GET' || last === undefined) return undefined;
        const kept = streams.get(last.slice(0, last.lastIndexOf('_'))) ?? [];
        const from = kept.find(({ text }) => idOf(text) === last)?.order ?? Infinity;
        const after = kept.filter(({ order }) => order > from).toSorted((one, two) => one.order - two.order);
        const body = after.map(({ text }) => text).join('');
        return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
      },
    },
  };
};

export const streamableHttpMutants: readonly Mutant[] = [
  defineMutant({
    name: 'answers-as-plain-text',
    kills: 'HTP-01',
    defect: 'Answers are declared as text/plain.',
    mutation: {
      http: {
        response: (answered) =>
          answered.headers['content-type']?.startsWith('application/json') === true
            ? { ...answered, headers: { ...answered.headers, 'content-type': 'text/plain' } }
            : answered,
      },
    },
  }),
  defineMutant({
    name: 'notification-is-ok',
    kills: 'HTP-02',
    alsoKills: ['LIF-05'],
    defect: 'A notification is answered with 200.',
    mutation: { http: { response: statusFor((asked, { status }) => isNotice(asked) && status === 202, 200) } },
  }),
  defineMutant({
    name: 'response-is-ok',
    kills: 'HTP-03',
    defect: 'A response of the client is answered with 200.',
    mutation: {
      http: { response: statusFor(({ body }, { status }) => body.includes('"result"') && status === 202, 200) },
    },
  }),
  defineMutant({
    name: 'accept-crashes-it',
    kills: 'HTP-04',
    defect: 'An Accept header without JSON is an internal error.',
    mutation: {
      http: {
        answer: ({ method, headers }) =>
          method === 'POST' && headers['accept'] === 'image/png' ? { status: 500, headers: {} } : undefined,
      },
    },
  }),
  defineMutant({
    name: 'reads-plain-text',
    kills: 'HTP-05',
    defect: 'A body of any type is read as JSON.',
    mutation: { http: { request: (asked) => withHeaders(asked, { 'content-type': 'application/json' }) } },
  }),
  defineMutant({
    name: 'trusts-every-origin',
    kills: 'HTP-06',
    defect: 'The Origin header is ignored.',
    mutation: { http: { request: (asked) => withHeaders(asked, { origin: undefined }) } },
  }),
  defineMutant({
    name: 'trusts-no-origin',
    kills: 'HTP-07',
    defect: 'Every request with an Origin is rejected.',
    mutation: {
      http: { answer: ({ headers }) => (headers['origin'] === undefined ? undefined : { status: 403, headers: {} }) },
    },
  }),
  defineMutant({
    name: 'trusts-every-host',
    kills: 'HTP-08',
    defect: 'The Host header is ignored.',
    mutation: { http: { request: (asked) => withHeaders(asked, { host: '127.0.0.1' }) } },
  }),
  defineMutant({
    name: 'listens-everywhere',
    kills: 'HTP-09',
    defect: 'It listens on every address of the machine.',
    mutation: {
      http: { host: '0.0.0.0', request: (asked) => withHeaders(asked, { host: '127.0.0.1' }) },
    },
  }),
  defineMutant({
    name: 'lets-every-page-read',
    kills: 'HTP-10',
    defect: 'Every web page may read its answers.',
    mutation: {
      http: {
        answer: ({ method }) =>
          method === 'OPTIONS' ? { status: 204, headers: { 'access-control-allow-origin': '*' } } : undefined,
      },
    },
  }),
  defineMutant({
    name: 'get-is-not-found',
    kills: 'HTP-11',
    defect: 'GET is answered with 404.',
    mutation: { http: { answer: ({ method }) => (method === 'GET' ? { status: 404, headers: {} } : undefined) } },
  }),
  defineMutant({
    name: 'delete-is-an-internal-error',
    kills: 'HTP-12',
    defect: 'DELETE is answered with 500.',
    mutation: { http: { answer: ({ method }) => (method === 'DELETE' ? { status: 500, headers: {} } : undefined) } },
  }),
  defineMutant({
    name: 'put-is-an-internal-error',
    kills: 'HTP-13',
    defect: 'PUT is answered with 500.',
    mutation: { http: { answer: ({ method }) => (method === 'PUT' ? { status: 500, headers: {} } : undefined) } },
  }),
  defineMutant({
    name: 'page-of-html-for-put',
    kills: 'HTP-13',
    defect: 'PUT is answered with a page of HTML, as a web framework does for a route that it does not know.',
    mutation: {
      http: {
        answer: ({ method }) =>
          method === 'PUT'
            ? {
                status: 404,
                headers: { 'content-type': 'text/html; charset=utf-8' },
                body: '<!DOCTYPE html>\n<html lang="en"><body><pre>Cannot PUT /mcp</pre></body></html>\n',
              }
            : undefined,
      },
    },
  }),
  defineMutant({
    name: 'large-body-is-an-internal-error',
    kills: 'HTP-44',
    defect: 'A body of more than four megabytes is answered with 500.',
    mutation: {
      http: { answer: ({ body }) => (body.length > 4_000_000 ? { status: 500, headers: {} } : undefined) },
    },
  }),
  defineMutant({
    name: 'session-id-with-a-blank',
    kills: 'HTP-14',
    defect: 'The session id contains a space.',
    mutation: {
      http: {
        response: (answered) => {
          const id = answered.headers['mcp-session-id'];
          if (id === undefined) return answered;
          return { ...answered, headers: { ...answered.headers, 'mcp-session-id': `${id} x` } };
        },
        request: (asked) =>
          withHeaders(asked, { 'mcp-session-id': asked.headers['mcp-session-id']?.replace(/ x$/u, '') }),
      },
    },
  }),
  defineMutant({
    name: 'no-session-is-an-unknown-one',
    kills: 'HTP-15',
    defect: 'A request without a session id is answered with 404.',
    mutation: {
      http: {
        response: statusFor(
          ({ headers, body }, { status }) =>
            status === 400 && body.includes('"ping"') && headers['mcp-session-id'] === undefined,
          404,
        ),
      },
    },
  }),
  defineMutant({
    name: 'session-outlives-delete',
    kills: 'HTP-16',
    defect: 'DELETE is answered with 200, and the session goes on.',
    mutation: { http: { answer: ({ method }) => (method === 'DELETE' ? { status: 200, headers: {} } : undefined) } },
  }),
  defineMutant({
    name: 'unknown-session-is-a-bad-request',
    kills: 'HTP-17',
    alsoKills: ['HTP-16'],
    defect: 'An unknown session id is answered with 400.',
    mutation: {
      http: { response: statusFor((asked, { status }) => status === 404 && !isModern(asked), 400) },
    },
  }),
  defineMutant({
    name: 'version-header-is-not-read',
    kills: 'HTP-19',
    defect: 'An unpublished version in the header is ignored.',
    mutation: {
      http: {
        request: (asked) =>
          asked.headers['mcp-protocol-version'] === '1900-01-01' && !asked.body.includes('/protocolVersion"')
            ? withHeaders(asked, { 'mcp-protocol-version': undefined })
            : asked,
      },
    },
  }),
  defineMutant({
    name: 'version-header-is-demanded',
    kills: 'HTP-20',
    defect: 'A request without a version in its header is refused.',
    mutation: {
      http: {
        answer: (asked) =>
          asked.body.includes('"ping"') && asked.headers['mcp-protocol-version'] === undefined
            ? refused(asked, 400, -32_000)
            : undefined,
      },
    },
  }),
  defineMutant({
    name: 'events-are-not-ended',
    kills: 'HTP-21',
    defect: 'After the response the empty line is missing that would end the event.',
    mutation: {
      http: { event: (text, { method }) => (method === 'POST' && text.includes('"stream-') ? `${text}data: {` : text) },
    },
  }),
  defineMutant({
    name: 'stream-may-be-buffered',
    kills: 'HTP-22',
    defect: 'Streams lack X-Accel-Buffering.',
    mutation: {
      http: {
        response: (answered) => ({
          ...answered,
          headers: Object.fromEntries(
            Object.entries(answered.headers).filter(([name]) => name !== 'x-accel-buffering'),
          ),
        }),
      },
    },
  }),
  defineMutant({
    name: 'notifications-go-to-all-streams',
    kills: 'HTP-24',
    alsoKills: ['PRG-03'],
    defect: 'What a request reports goes to its own stream and to that of GET.',
    mutation: { http: { broadcast: (message) => 'method' in message && !('id' in message) } },
  }),
  defineMutant({
    name: 'responses-go-to-all-streams',
    kills: 'HTP-25',
    alsoKills: ['HTP-24'],
    defect: 'Responses go to the stream of GET as well.',
    mutation: { http: { broadcast: (message) => 'result' in message } },
  }),
  defineMutant({
    name: 'event-ids-begin-anew',
    kills: 'HTP-26',
    alsoKills: ['HTP-27'],
    defect: 'The events of every stream are numbered from the same beginning.',
    mutation: {
      http: { event: (text) => text.replace(/^id: .*_(\d+)$/mu, 'id: $1') },
    },
  }),
  defineMutant({
    name: 'replays-for-strangers',
    kills: 'HTP-27',
    defect: 'A client that names an event gets what came after it, even in another session.',
    mutation: () => {
      const owners = new Map<string, string>();
      return {
        http: {
          event: (text, { headers }) => {
            const id = /^id: (.*)$/mu.exec(text)?.[1];
            const session = headers['mcp-session-id'];
            if (id !== undefined && session !== undefined && !owners.has(id)) owners.set(id, session);
            return text;
          },
          request: (asked) => {
            const owner = owners.get(asked.headers['last-event-id'] ?? '');
            return owner === undefined ? asked : withHeaders(asked, { 'mcp-session-id': owner });
          },
        },
      };
    },
  }),
  defineMutant({
    name: 'replays-for-strangers-by-chance',
    kills: 'HTP-27',
    defect: 'Events are ordered by a clock of milliseconds and by chance within one, and replayed in any session.',
    mutation: replaysByChance,
  }),
  defineMutant({
    name: 'stream-without-a-first-event',
    kills: 'HTP-28',
    defect: 'Streams do not begin with an event that has only an id.',
    mutation: { http: { event: (text) => (/^data: ?$/mu.test(text) ? ': begin\n\n' : text) } },
  }),
  ...mirroredHeaderMutants,
];
