// Talks to a server with nothing of the referee: lines to a process, fetch to an address. For confirmations only.
import { createInterface } from 'node:readline';
import { pause, prepare, serve, spawnGroup } from './launch.mjs';

// A start takes long on a busy machine; an answer that comes late is an answer.
const ANSWER_MS = 60_000;
const QUIET_MS = 1_500;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of the modern era, with what each of them must carry. */
export const modern = (id, method, params = {}) => ({ jsonrpc: '2.0', id, method, params: { ...params, _meta: META } });

export const initialize = (protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 'raw-open',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1.0.0' } },
});

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What is said and what came: `answer` waits for the line that answers an id, `open` shakes hands. */
const conversation = (say, lines) => {
  const answer = async (id) => {
    for (const until = Date.now() + ANSWER_MS; Date.now() < until; await pause(20)) {
      const found = lines.map(parsed).find((message) => message?.id === id && message.method === undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const open = async (revision) => {
    say(initialize(revision));
    const opened = await answer('raw-open');
    say(INITIALIZED);
    return opened;
  };
  const messages = () => lines.flatMap((line) => parsed(line) ?? []);
  return { say, answer, open, lines, messages, quiet: () => pause(QUIET_MS) };
};

/** A process: one line per message. */
const talk = (prepared) => {
  const { child, exited, kill } = spawnGroup(prepared, ['pipe', 'pipe', 'ignore']);
  const lines = [];
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const say = (message) => child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  return { ...conversation(say, lines), exited, kill };
};

/** The same over HTTP+SSE: messages go to the endpoint that the stream names, and come back on the stream. */
const talkOverStream = (url) => {
  const lines = [];
  const ending = new AbortController();
  let tell;
  const endpoint = new Promise((resolve) => (tell = resolve));
  let isNamed = false;
  const read = async () => {
    const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: ending.signal });
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body) {
      const pieces = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/u);
      rest = pieces.pop();
      for (const [, data] of pieces.map((piece) => /^data: ?(.*)$/u.exec(piece)).filter(Boolean)) {
        if (isNamed) lines.push(data);
        else tell(new URL(data, url));
        isNamed = true;
      }
    }
  };
  void read().catch(() => {});
  const headers = { 'content-type': 'application/json' };
  let sent = Promise.resolve();
  const send = async (message) => {
    const body = JSON.stringify(message);
    const response = await fetch(await endpoint, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (response.status >= 400) lines.push(`HTTP ${response.status} ${await response.text()}`);
    else await response.body?.cancel();
  };
  const say = (message) => (sent = sent.then(() => send(message)).catch(() => {}));
  return { ...conversation(say, lines), kill: () => ending.abort() };
};

const readAtMost = async (response, ms) => {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  let text = '';
  const until = Date.now() + ms;
  while (Date.now() < until) {
    const next = await Promise.race([reader.read(), pause(until - Date.now()).then(() => undefined)]);
    if (next === undefined || next.done) break;
    text += new TextDecoder().decode(next.value);
    if (/text\/event-stream/u.test(response.headers.get('content-type')) && /^data: .*"id"/mu.test(text)) break;
  }
  await reader.cancel().catch(() => {});
  return text;
};

/** An address: one request and its answer. */
const address = (url) => {
  const ask = async (method, body, headers = {}, where = url) => {
    const response = await fetch(where, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await readAtMost(response, QUIET_MS);
    const data = [...text.matchAll(/^data: ?(.*)$/gmu)].map(([, one]) => parsed(one)).filter(Boolean);
    const messages = data.length > 0 ? data : [parsed(text)].flat().filter(Boolean);
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      headers: response.headers,
      text,
      messages,
    };
  };
  const post = (body, headers) => ask('POST', body, headers);
  const postModern = (message, headers = {}) =>
    post(message, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': message.method, ...headers });
  /** Opens a legacy session; the headers of its further requests. */
  const open = async (revision = '2025-11-25') => {
    const opened = await post(initialize(revision));
    const id = opened.headers.get('mcp-session-id');
    const headers = { 'mcp-protocol-version': revision, ...(id === null ? {} : { 'mcp-session-id': id }) };
    await post(INITIALIZED, headers);
    return headers;
  };
  return { url, ask, post, postModern, open };
};

/** Starts the server anew and hands over a way to talk to it; everything ends afterwards. */
export const withRaw = async (server, act) => {
  const prepared = await prepare(server);
  const started = [];
  try {
    if (prepared.url === undefined) {
      const start = () => {
        const one = talk(prepared);
        started.push(one.kill);
        return one;
      };
      return await act({ start });
    }
    const { stop } = await serve(prepared);
    started.push(stop);
    if (server.transport !== 'sse') return await act(address(prepared.url));
    const start = () => {
      const one = talkOverStream(prepared.url);
      started.unshift(one.kill);
      return one;
    };
    return await act({ ...address(prepared.url), start });
  } finally {
    for (const end of started) end();
    prepared.remove();
  }
};
