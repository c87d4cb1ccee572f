/**
 * Confirms a failed MUST without the referee: for each check a few raw requests of its own making, whose answer shows the
 * violation or does not. A failure without a confirmation fails `npm run judge`.
 */
import { initialize, modern, withRaw } from './raw.mjs';

const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 600);
const found = (violated, how, sent, received) => ({ violated, how, sent: shown(sent), received: shown(received) });

const PINGS = ['raw-1', 'raw-2'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));

/** RPC-10: revision 2025-03-26 is agreed on, and a batch of two pings stays without two answers. */
const batch = async (raw) => {
  const how = 'After initialize with 2025-03-26, an array of two pings; then a ping alone, which is answered.';
  if (raw.start === undefined) {
    const headers = await raw.open('2025-03-26');
    const { status, text, messages } = await raw.post(PINGS, headers);
    const alone = await raw.post({ jsonrpc: '2.0', id: 'raw-3', method: 'ping' }, headers);
    const answered = messages.filter(({ id }) => id === 'raw-1' || id === 'raw-2').length;
    return found(answered < 2 && alone.status === 200, how, PINGS, `HTTP ${status} ${text}`);
  }
  const process = raw.start();
  const opened = await process.open('2025-03-26');
  const before = process.lines.length;
  process.say(PINGS);
  await process.quiet();
  process.say({ jsonrpc: '2.0', id: 'raw-3', method: 'ping' });
  const alone = await process.answer('raw-3');
  const text = process.lines.slice(before).join('\n');
  const agreed = opened?.result?.protocolVersion === '2025-03-26';
  const answered = process.messages().filter(({ id, result }) => /^raw-[12]$/u.test(id) && result !== undefined).length;
  return found(agreed && answered < 2 && alone?.result !== undefined, how, PINGS, text);
};

/** STD-01: a line of stdout is no JSON-RPC message. */
const chatter = async (raw) => {
  const process = raw.start();
  await process.open();
  await process.quiet();
  const strange = process.lines.find((line) => {
    try {
      return JSON.parse(line).jsonrpc !== '2.0';
    } catch {
      return line.trim() !== '';
    }
  });
  return found(
    strange !== undefined,
    'initialize, and every line that came over stdout.',
    initialize(),
    strange ?? 'nothing',
  );
};

/** LIF-03: a revision that nobody published is agreed to. */
const inventedRevision = async (raw) => {
  const message = initialize('1999-01-01');
  const answer = raw.start === undefined ? (await raw.post(message)).messages[0] : await raw.start().open('1999-01-01');
  const agreed = answer?.result?.protocolVersion;
  return found(agreed === '1999-01-01', 'initialize with the revision 1999-01-01.', message, answer ?? 'nothing');
};

/** LIF-16: a modern request of an invented revision, as the first word, is not refused with -32022. */
const unsupportedRevision = async (raw) => {
  const message = modern('raw-1', 'tools/list');
  const { params } = message;
  const meta = { ...params._meta, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' };
  const invented = { ...message, params: { ...params, _meta: meta } };
  const answer = await discovered(raw, invented, { 'mcp-protocol-version': '1900-01-01' });
  const how = 'tools/list with the revision 1900-01-01 as the first request.';
  return found(answer !== undefined && answer.error?.code !== -32_022, how, invented, answer ?? 'nothing');
};

/** LIF-29: the process ends when it gets again what it got last, and does not end without it. */
const ended = async (raw, { evidence }) => {
  const endOf = async (...lines) => {
    const process = raw.start();
    await process.open();
    for (const line of lines) process.say(line);
    return await Promise.race([process.exited, process.quiet().then(() => undefined)]);
  };
  const gone = await endOf(evidence.sent);
  const control = await endOf({ jsonrpc: '2.0', id: 'raw-1', method: 'ping' });
  const how = 'initialize, then what the referee had sent last: the process ends. With a ping instead, it goes on.';
  return found(gone !== undefined && control === undefined, how, evidence.sent, gone ?? 'it goes on');
};

const FOREIGN = { origin: 'http://evil.example' };

/** HTP-06: a request from a foreign origin is served. */
const foreignOrigin = async (raw, { era }) => {
  const { status, text } =
    era === 'modern'
      ? await raw.postModern(modern('raw-1', 'server/discover'), FOREIGN)
      : await raw.post(initialize(), FOREIGN);
  return found(
    status === 200,
    'POST with Origin: http://evil.example.',
    'Origin: http://evil.example',
    `HTTP ${status} ${text}`,
  );
};

/** SSE-06: the stream opens for a foreign origin. */
const foreignStream = async (raw) => {
  const { status, text } = await raw.ask('GET', undefined, { accept: 'text/event-stream', ...FOREIGN });
  return found(
    status === 200 && text.includes('event: endpoint'),
    'GET of the stream with Origin: http://evil.example.',
    'Origin: http://evil.example',
    `HTTP ${status} ${text}`,
  );
};

/** HTP-16: a deleted session is answered with another status than 404. */
const deletedSession = async (raw) => {
  const headers = await raw.open();
  const deleted = await raw.ask('DELETE', undefined, headers);
  const { status, text } = await raw.post({ jsonrpc: '2.0', id: 'raw-1', method: 'ping' }, headers);
  return found(
    deleted.status < 300 && status !== 404,
    'DELETE of a session, then a ping with its id.',
    `DELETE (HTTP ${deleted.status}), then ping`,
    `HTTP ${status} ${text}`,
  );
};

/** HTP-26: resuming one stream brings what went over another. */
const strangeReplay = async (raw) => {
  const headers = await raw.open();
  const ping = (id) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const first = await raw.post(ping('raw-1'), headers);
  await raw.post(ping('raw-2'), headers);
  const [, last] = [...first.text.matchAll(/^id: ?(.+)$/gmu)].at(-1) ?? [];
  const { status, text } = await raw.ask('GET', undefined, {
    ...headers,
    accept: 'text/event-stream',
    'last-event-id': last ?? '',
  });
  return found(
    last !== undefined && text.includes('"raw-2"'),
    'Two pings, each answered on a stream of its own; then GET with the last event id of the first stream.',
    `Last-Event-ID: ${last}`,
    `HTTP ${status} ${text}`,
  );
};

const UNKNOWN = { jsonrpc: '2.0', id: 'raw-1', method: 'no/such-method' };

/** RPC-03, HTP-01: a request for an unknown method is answered with something that is no JSON-RPC message. */
const unknownMethod = async (raw) => {
  const { status, type, text, messages } = await raw.post(UNKNOWN, await raw.open());
  const answered = messages.some(({ id, error, result }) => id === 'raw-1' && (error ?? result) !== undefined);
  return found(!answered, 'A request for a method that does not exist.', UNKNOWN, `HTTP ${status} ${type} ${text}`);
};

const discovered = async (raw, message, headers = {}) => {
  if (raw.start === undefined) return (await raw.postModern(message, headers)).messages[0];
  const process = raw.start();
  process.say(message);
  return await process.answer(message.id);
};

/** RPC-01, TOL-21: the answer to server/discover lacks caching hints. */
const uncachedDiscover = async (raw) => {
  const message = modern('raw-1', 'server/discover');
  const answer = await discovered(raw, message);
  const isLacking = answer?.result?.ttlMs === undefined || answer.result.cacheScope === undefined;
  return found(
    answer?.result !== undefined && isLacking,
    'server/discover, and its result.',
    message,
    answer ?? 'nothing',
  );
};

export const CONFIRMATIONS = {
  'RPC-10': batch,
  'LIF-03': inventedRevision,
  'LIF-16': unsupportedRevision,
  'LIF-29': ended,
  'STD-01': chatter,
  'HTP-06': foreignOrigin,
  'SSE-06': foreignStream,
  'HTP-16': deletedSession,
  'HTP-26': strangeReplay,
  'RPC-03': unknownMethod,
  'HTP-01': unknownMethod,
  'TOL-21': uncachedDiscover,
  'RPC-01': uncachedDiscover,
};

/** Whether raw requests show the same, and what they were. */
export const confirm = async (server, failure) => {
  const way = CONFIRMATIONS[failure.id];
  if (way === undefined) return { confirmed: false, how: 'Nobody has written raw requests for this check yet.' };
  const { violated, ...evidence } = await withRaw(server, (raw) => way(raw, failure));
  return { confirmed: violated, ...evidence };
};
