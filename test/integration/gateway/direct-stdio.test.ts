import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULT_GUARD } from '../../../packages/plugboard/src/settings/guard-settings.js';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { type Answer, pathsOf, post, waysOf } from './relay-paths.js';
import { addServer } from './rig.js';

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const SERVER_INFO = { name: 'scripted', version: '1.0.0' };
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
/** Digits that a number of JavaScript would lose, and escapes that a second writing would change. */
const ODD = '{"big":12345678901234567890,"text":"caf\\u00e9 \\/","n":1.10}';

interface Arrived {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly name?: string; readonly _meta?: Record<string, unknown>; readonly requestId?: number };
}

let folder = '';
let hub: RealHub;
const program = (era: string, name: string): object => ({
  mcp_server_type: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL('scripted-program.mjs', import.meta.url)), era, join(folder, name)],
});
/** The lines that a program got. */
const linesOf = (name: string): readonly string[] =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trimEnd().split('\n') : [];
const arrivedAt = (name: string): readonly Arrived[] => linesOf(name).map((line) => JSON.parse(line) as Arrived);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-direct-'));
  hub = await startRealHub({ settings: { guard: { ...DEFAULT_GUARD, limits: { tool: { perMinute: 60 } } } } });
});
afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

const openSession = async (url: URL, capabilities: object = {}): Promise<string> => {
  const params = { protocolVersion: LEGACY, capabilities, clientInfo: { name: 'raw', version: '1' } };
  const opened = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }), {});
  return opened.session ?? '';
};

/** The first calls of a client open its connection. */
const untilFast = (call: () => Promise<unknown>): Promise<void> =>
  vi.waitUntil(async () => (await waysOf(hub, call))['fast'] === 1, { timeout: 20_000 }).then(() => undefined);

// A program of both eras is met in the era of its client.
describe.each(['legacy', 'both'])('a legacy client of a program that speaks %s', (era) => {
  let session = '';
  let url: URL;
  const headers = (): Record<string, string> => ({ 'mcp-session-id': session, 'mcp-protocol-version': LEGACY });
  const call = (name: string, rest = '', id = '7', extra: Record<string, string> = {}): Promise<Answer> =>
    post(url, `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"${rest}}}`, {
      ...headers(),
      ...extra,
    });

  beforeAll(async () => {
    await addServer(hub, era, program(era, era));
    url = new URL(`/servers/${era}/mcp`, hub.url);
    session = await openSession(url);
    // The first call starts the process of this client; the catalogue may be published anew meanwhile.
    await untilFast(() => call('plain'));
  });

  it('takes the fast path, keeps its id, and is sent as one line under another', async () => {
    const ways = await waysOf(hub, async () => {
      expect(JSON.parse((await call('plain', '', '"my \\"id\\" é"')).text)).toEqual({
        jsonrpc: '2.0',
        id: 'my "id" é',
        result: { content: [{ type: 'text', text: 'fine' }] },
      });
      expect((await call('plain')).type).toBe('application/json');
      expect((await call('page')).text).toContain('A line \\"with\\" escapes.\\n'.repeat(2800));
    });
    expect(ways).toEqual({ fast: 3 });
    const ids = arrivedAt(era).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id > 1e12)).toBe(true);
  });

  it('gets and gives every byte as it was', async () => {
    const answer = await call('odd', `, "arguments": ${ODD}`);
    expect(answer.text).toBe(`{"result":{"content":[],"structuredContent":${ODD}},"jsonrpc":"2.0","id":7} `);
    expect(linesOf(era).at(-1)).toContain(`"arguments": ${ODD}`);
  });

  it('is counted, written down and traced like any other', async () => {
    await call('bad', ',"arguments":{"secret":"value"}', '1', { traceparent: TRACE });
    expect(arrivedAt(era).at(-1)?.params._meta).toEqual({ traceparent: TRACE });
    const { json } = await hubCall(hub.url, 'GET', '/v1/audit?kind=call&limit=1');
    expect(json).toMatchObject([
      {
        target: `${era}/bad`,
        outcome: 'tool_error',
        details: { arguments: { secret: 'text of 5 characters' }, trace_id: TRACE.slice(3, 35) },
      },
    ]);
  });

  it.each([
    ['an error', 'refuses', /"code":-32602/u],
    ['a task', 'task', /taskId/u],
    ['an answer that is too long', 'huge', /x{1600000}/u],
  ])('is taken over from the middle for %s, and sent once', async (_what, name, expected) => {
    const sent = linesOf(era).length;
    const ways = await waysOf(hub, async () => {
      const { text } = await call(name, ',"_meta":{"progressToken":"mine"}');
      expect(text).toMatch(expected);
    });
    expect(ways).toEqual({ unusual: 1 });
    expect(linesOf(era).length).toBe(sent + 1);
  });

  it('stays on the fast path with progress', async () => {
    const ways = await waysOf(hub, async () => {
      const { text } = await call('noisy', ',"_meta":{"progressToken":"mine"}');
      expect(text).toMatch(/"progress":1.*"progress":2.*"progress":3.*done/su);
      expect(text.match(/"progressToken":"mine"/gu)).toHaveLength(3);
    });
    expect(ways).toEqual({ fast: 1 });
  });

  it('stays on the fast path with a large answer', async () => {
    const ways = await waysOf(hub, async () => {
      const answers = await Promise.all([call('large'), call('large', '', '"b"')]);
      expect(answers.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
        [7, 'b'].map((id) => ({
          jsonrpc: '2.0',
          id,
          result: { content: [{ type: 'text', text: 'x'.repeat(600 * 1024) }] },
        })),
      );
    });
    expect(ways).toEqual({ fast: 2 });
  });

  it('gets no answer that is not its own, and its own once', async () => {
    const ways = await waysOf(hub, async () => {
      const answers = await Promise.all(['1', '2', '3'].map((id) => call('stranger', '', id)));
      for (const { text } of answers) expect(text).toContain('"yours"');
    });
    expect(ways).toEqual({ fast: 3 });
  });

  it('waits on the full path for what takes long, without sending it again', async () => {
    const before = (await pathsOf(hub))['unusual'] ?? 0;
    const sent = linesOf(era).length;
    const answer = call('slow');
    await expect.poll(async () => (await pathsOf(hub))['unusual'], { timeout: 20_000 }).toBe(before + 1);
    expect((await call('release')).text).toContain('released');
    expect((await answer).text).toContain('late');
    expect(linesOf(era).length).toBe(sent + 2);
  });

  it('can be taken back', async () => {
    const gone = new AbortController();
    const body = '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"slow"}}';
    const answer = post(url, body, headers(), gone.signal).catch(() => 'gone');
    await expect.poll(() => arrivedAt(era).at(-1)?.params.name).toBe('slow');
    const { id } = arrivedAt(era).at(-1) ?? {};
    gone.abort();
    expect(await answer).toBe('gone');
    await expect
      .poll(() => arrivedAt(era).at(-1))
      .toMatchObject({
        method: 'notifications/cancelled',
        params: { requestId: id },
      });
    // A late answer goes to nobody.
    expect((await call('release')).text).toContain('released');
    expect((await call('plain')).text).toContain('fine');
  });

  it('takes the full path when its message has several lines', async () => {
    const ways = await waysOf(hub, async () => {
      expect((await call('plain', ',\n"arguments":{}')).text).toContain('fine');
      expect((await call('plain', ',\r"arguments":{}')).text).toContain('fine');
    });
    expect(ways).toEqual({ message: 2 });
  });

  it('hears that it is not known what happened when the program ends; the call is not repeated', async () => {
    const sent = linesOf(era).length;
    expect((await call('dies')).text).toContain('AMBIGUOUS_DELIVERY');
    expect(linesOf(era).length).toBe(sent + 1);
    expect((await call('plain')).text).toContain('fine');
    expect(await waysOf(hub, () => call('plain'))).toEqual({ fast: 1 });
  });

  it('gets the answer of a second try where that can do no harm', async () => {
    const sent = linesOf(era).length;
    expect((await call('safe')).text).toContain('second try');
    expect(linesOf(era).length).toBe(sent + 2);
  });
});

it('asks the client what the program asks because of its call', async () => {
  await addServer(hub, 'asking', program('legacy', 'asking'));
  const url = new URL('/servers/asking/mcp', hub.url);
  const session = await openSession(url, { roots: {} });
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': LEGACY };
  const body = (name: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}"}}`;
  await post(url, body('plain'), headers);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: body('asks'),
  });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const id = /"id":("[^"]*"|\d+),"method":"roots\/list"/u.exec(text)?.[1];
    if (id === undefined || text.includes('heard')) continue;
    await post(url, `{"jsonrpc":"2.0","id":${id},"result":{"roots":[{"uri":"file:///mine"}]}}`, headers);
  }
  expect(text).toContain('heard {\\"roots\\":[{\\"uri\\":\\"file:///mine\\"}]}');
});

it('a legacy session reaches a modern program on the fast path, with another envelope', async () => {
  await addServer(hub, 'modern-for-legacy', program('modern', 'modern-for-legacy'));
  const url = new URL('/servers/modern-for-legacy/mcp', hub.url);
  const headers = { 'mcp-session-id': await openSession(url), 'mcp-protocol-version': LEGACY };
  const call = (): Promise<Answer> =>
    post(url, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plain"}}', headers);
  await untilFast(call);
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'fine' }] } };
  expect(JSON.parse((await call()).text)).toEqual(answer);
  expect(arrivedAt('modern-for-legacy').at(-1)?.params._meta).toEqual({
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/logLevel': 'info',
  });
});

it('modern clients that a legacy program asks for input at once each hear their own answer', async () => {
  await addServer(hub, 'asking-modern', program('legacy', 'asking-modern'));
  const url = new URL('/servers/asking-modern/mcp', hub.url);
  interface Asked {
    readonly result: {
      readonly resultType: string;
      readonly inputRequests: Readonly<Record<string, unknown>>;
      readonly requestState: string;
    };
  }
  const call = async (name: string, more: object = {}): Promise<Asked> => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, ...more, _meta: meta } };
    const fields = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name };
    return JSON.parse((await post(url, JSON.stringify(body), fields)).text) as Asked;
  };
  const answer = ({ result }: Asked, uri: string): Promise<unknown> => {
    const responses = Object.keys(result.inputRequests).map((key) => [key, { roots: [{ uri }] }]);
    return call('asks', { inputResponses: Object.fromEntries(responses), requestState: result.requestState });
  };
  await untilFast(() => call('plain'));
  let first: Asked | undefined;
  const ways = await waysOf(hub, async () => {
    first = await call('asks');
  });
  // It was sent on the fast path, and left it with the question.
  expect(ways).toEqual({ unusual: 1 });
  expect(first).toMatchObject({ result: { resultType: 'input_required' } });
  // While the program waits for that answer, the next calls go to others.
  const others = [await call('asks'), await call('asks')];
  const asked = [...(first === undefined ? [] : [first]), ...others];
  const heard = await Promise.all(asked.toReversed().map((one, index) => answer(one, `file:///${index}`)));
  expect(heard).toMatchObject(
    [0, 1, 2].map((index) => ({ result: { content: [{ text: `heard {"roots":[{"uri":"file:///${index}"}]}` }] } })),
  );
  // Once all are answered, the first program is free again.
  expect(await waysOf(hub, () => call('plain'))).toEqual({ fast: 1 });
});

describe.each(['modern', 'both', 'legacy'])('a modern client of a program that speaks %s', (era) => {
  let url: URL;
  const name = `${era}-for-modern`;
  const call = (tool: string, meta: Record<string, unknown> = {}): Promise<Answer> => {
    const full = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...meta,
    };
    const body = {
      jsonrpc: '2.0',
      id: 'one',
      method: 'tools/call',
      params: { name: tool, arguments: {}, _meta: full },
    };
    const fields = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': tool };
    return post(url, JSON.stringify(body), fields);
  };

  beforeAll(async () => {
    await addServer(hub, name, program(era, name));
    url = new URL(`/servers/${name}/mcp`, hub.url);
    await untilFast(() => call('plain'));
  });

  it('takes the fast path, and continues on the full path for what is unusual', async () => {
    const ways = await waysOf(hub, async () => {
      const own = era === 'legacy' ? { _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } } : {};
      expect(JSON.parse((await call('plain')).text)).toEqual({
        jsonrpc: '2.0',
        id: 'one',
        result: { ...own, resultType: 'complete', content: [{ type: 'text', text: 'fine' }] },
      });
      expect((await call('refuses')).text).toContain('-32602');
      expect((await call('noisy', { progressToken: 'mine' })).text).toMatch(/"progressToken":"mine".*done/su);
    });
    expect(ways).toEqual({ fast: 2, unusual: 1 });
  });

  it('is refused beyond the limits, whichever path it takes', async () => {
    let refused = '';
    for (let count = 0; count < 70 && refused === ''; count += 1) {
      const { text } = await call('plain');
      if (text.includes('RATE_LIMITED')) refused = text;
    }
    expect(refused).toContain('RATE_LIMITED');
  });
});
