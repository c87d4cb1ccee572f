// A client that costs little, for any endpoint that is measured.
import { once } from 'node:events';
import { get } from 'node:http';
import { Pool } from 'undici';

const VERSION = { legacy: '2025-11-25', modern: '2026-07-28' };

const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION.modern,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const messageOf = (era, id, method, params) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: era === 'modern' ? { ...params, _meta: { ...params._meta, ...META } } : params,
});

const nameIn = ({ name, uri }) => name ?? uri;

const fieldsOf = (era, method, params, session) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': VERSION[era],
  ...(session === undefined ? {} : { 'mcp-session-id': session }),
  ...(era === 'modern'
    ? { 'mcp-method': method, ...(nameIn(params) === undefined ? {} : { 'mcp-name': nameIn(params) }) }
    : {}),
});

/** What mcp-hub takes in place of JSON-RPC. */
const plainCall = ({ name, arguments: args }) => JSON.stringify({ server_name: 'bench', tool: name, arguments: args });

/** JSON that means the same; no fast path knows a method with an escape. */
const escaped = (text) => text.replace('"tools/call"', String.raw`"tools\/call"`);

const bodyOf = (style, message) => {
  if (style === 'mcp-hub') return plainCall(message.params);
  const text = JSON.stringify(style === 'rest' ? message.params.arguments : message);
  return style === 'escaped' ? escaped(text) : text;
};

const isMcp = (style) => style === undefined || style === 'escaped';

/** When each notification was sent, on the clock of the machine, as its server wrote it. */
const SENT_AT = /"method":"notifications\/progress".*?"progress":(\d+).*?"message":"(\d+)"/gu;

/**
 * How late each notification of an event stream came, in milliseconds. Throws when one is missing, or out of order.
 */
const delaysIn = async (body, expected) => {
  const delays = [];
  let rest = '';
  for await (const chunk of body) {
    const now = process.hrtime.bigint();
    const text = rest + chunk;
    const end = text.lastIndexOf('\n\n') + 1;
    rest = text.slice(end);
    for (const [, step, sentAt] of text.slice(0, end).matchAll(SENT_AT)) {
      delays.push(Number(now - BigInt(sentAt)) / 1e6);
      if (Number(step) !== delays.length) throw new Error(`notification ${step} came as number ${delays.length}`);
    }
  }
  if (delays.length !== expected) throw new Error(`${delays.length} of ${expected} notifications came`);
  return delays;
};

/** Opens a client of an endpoint; legacy ones get a session where one is given. `style` is another form of a call than the usual. */
export const openClient = async ({ url, era, style }) => {
  const target = new URL(url);
  const pool = new Pool(target.origin, { connections: 128 });
  let id = 0;
  const send = async (method, params, session) => {
    id += 1;
    const { statusCode, headers, body } = await pool.request({
      path: target.pathname,
      method: 'POST',
      headers: fieldsOf(era, method, params, session),
      body: bodyOf(style, messageOf(era, id, method, params)),
    });
    const text = await body.text();
    const expected = style === 'rest' ? '"content"' : '"result"';
    if (statusCode !== 200 || !text.includes(expected)) throw new Error(`${url}: ${statusCode} ${text}`);
    return headers['mcp-session-id'];
  };
  const note = (method, session) =>
    pool
      .request({
        path: target.pathname,
        method: 'POST',
        headers: fieldsOf(era, method, {}, session),
        body: JSON.stringify({ jsonrpc: '2.0', method }),
      })
      .then(({ body }) => body.dump());
  const open = async () => {
    const session = await send('initialize', {
      protocolVersion: VERSION.legacy,
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    if (session !== undefined) await note('notifications/initialized', session);
    return session;
  };
  const streams = [];
  /** Opens a session and its stream, on a connection of its own. */
  const listen = async () => {
    const headers = {
      accept: 'text/event-stream',
      'mcp-session-id': await open(),
      'mcp-protocol-version': VERSION.legacy,
    };
    const [stream] = await once(get(url, { agent: false, headers }), 'response');
    if (stream.statusCode !== 200) throw new Error(`${url}: no stream, but ${stream.statusCode}`);
    streams.push(stream.on('error', () => undefined));
  };
  const close = () => {
    for (const stream of streams) stream.destroy();
    return pool.destroy();
  };
  const session = era === 'legacy' && isMcp(style) ? await open() : undefined;
  const call = (method, params) =>
    method.startsWith('notifications/') ? note(method, session) : send(method, params, session);
  /** The delays of all notifications of one call. */
  const paced = async (params, notifications) => {
    id += 1;
    const { body } = await pool.request({
      path: target.pathname,
      method: 'POST',
      headers: fieldsOf(era, 'tools/call', params, session),
      body: JSON.stringify(messageOf(era, id, 'tools/call', params)),
    });
    return delaysIn(body, notifications);
  };
  return { call, paced, open, listen, close };
};
