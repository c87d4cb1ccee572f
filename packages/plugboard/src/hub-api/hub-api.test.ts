import { Readable } from 'node:stream';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugboardError, toErrorEnvelope } from '@plugboard/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeHubFile } from './connect/hub-file.js';
import { DEFAULTS, type Settings } from '../settings/settings.js';
import { fakeHub } from '../test-support/fake-hub.js';
import { fakeProcess } from '../test-support/fake-process.js';
import { aServer } from '../test-support/shapes.js';
import { rpcAnswerError } from './answer-error.js';
import { eventMessages, eventStreamAnswer } from './event-messages.js';
import { fetchHubApi } from './fetch-hub-api.js';
import { hubClient } from './client/hub-client.js';
import { rpc, rpcListOrNone } from './json-rpc.js';
import { openHub } from './connect/open-hub.js';
import { findRunningHub } from './connect/running-hub.js';

const never = new AbortController().signal;
const answering = (
  response: () => Response | Promise<Response>,
  place = { kind: 'running', url: 'http://hub.example' } as const,
) => fetchHubApi({ place, fetch: async () => response(), signal: never });

describe('a request to the hub', () => {
  it('carries body, key and what it accepts', async () => {
    let seen: Request | undefined;
    const hub = fetchHubApi({
      place: { kind: 'running', url: 'http://hub.example/base' },
      apiKey: 'pb_key',
      signal: never,
      fetch: async (request) => {
        seen = request;
        return Response.json({ a: 1 });
      },
    });
    expect(await hub.request('POST', '/x', { body: { b: 2 } })).toEqual({ status: 200, json: { a: 1 } });
    expect(seen?.headers.get('authorization')).toBe('Bearer pb_key');
    expect(seen?.headers.get('content-type')).toBe('application/json');
    expect(await seen?.json()).toEqual({ b: 2 });
  });

  it.each([
    [
      'an envelope',
      () => Response.json(toErrorEnvelope(new PlugboardError('CONFLICT', 'Taken.', { hint: 'h' })), { status: 409 }),
      { code: 'CONFLICT', message: 'Taken.', hint: 'h' },
    ],
    [
      'a JSON-RPC error',
      () => Response.json({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'No.' } }, { status: 400 }),
      { code: 'INVALID_JSON', message: 'No.' },
    ],
    ['nothing but 401', () => new Response('x', { status: 401 }), { code: 'UNAUTHENTICATED' }],
    ['nothing but 403', () => new Response('', { status: 403 }), { code: 'PERMISSION_DENIED' }],
    ['nothing but 404', () => new Response('', { status: 404 }), { code: 'NOT_FOUND' }],
    ['nothing but 500', () => new Response('<html>', { status: 500 }), { code: 'INTERNAL' }],
    ['nothing but 418', () => new Response('', { status: 418 }), { code: 'INVALID_REQUEST' }],
  ])('that is refused with %s becomes an error of ours', async (_with, response, expected) => {
    await expect(answering(response).request('GET', '/')).rejects.toMatchObject(expected);
  });

  it('to a hub that is away says so', async () => {
    const hub = answering(() => Promise.reject(new TypeError('fetch failed')));
    await expect(hub.request('GET', '/')).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' });
  });

  it('does not blame the network for a defect of the hub in this process', async () => {
    const hub = fetchHubApi({
      place: { kind: 'in-process' },
      signal: never,
      fetch: () => Promise.reject(new RangeError('defect')),
    });
    await expect(hub.request('GET', '/')).rejects.toThrow(RangeError);
  });

  it('ends at its deadline and when it is interrupted', async () => {
    const hanging = (signal: AbortSignal) =>
      fetchHubApi({
        place: { kind: 'running', url: 'http://hub.example' },
        signal,
        fetch: (request) =>
          new Promise((_resolve, reject) => {
            request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
          }),
      });
    await expect(hanging(never).request('GET', '/', { deadlineMs: 5 })).rejects.toMatchObject({
      code: 'HUB_UNREACHABLE',
    });
    const controller = new AbortController();
    const interrupted = hanging(controller.signal).request('GET', '/');
    controller.abort();
    await expect(interrupted).rejects.toMatchObject({ name: 'AbortError' });
    const own = new AbortController();
    const cancelled = hanging(never).request('GET', '/', { signal: own.signal });
    own.abort();
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('event streams', () => {
  const streamOf = (text: string, step = text.length): AsyncIterable<Uint8Array> =>
    Readable.from(
      Array.from({ length: Math.ceil(Buffer.byteLength(text) / step) }, (_, index) =>
        Buffer.from(text).subarray(index * step, (index + 1) * step),
      ),
    );

  it('give back every message, however lines end and the bytes are cut', async () => {
    const messages = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 });
    const step = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(messages, fc.constantFrom('\n', '\r\n', '\r'), step, async (sent, end, bytes) => {
        const text = sent.map((message) => `event: message${end}data: ${JSON.stringify(message)}${end}${end}`).join('');
        const come: unknown[] = [];
        for await (const message of eventMessages(streamOf(text, bytes))) come.push(message);
        expect(come).toEqual(sent.map((message) => JSON.parse(JSON.stringify(message)) as unknown));
      }),
    );
  });

  it('have the answer after notifications, and skip rubbish', async () => {
    const text = 'data: {"method":"notifications/progress"}\n\ndata: oops\n\n: comment\n\ndata:{"result":{"a":1}}\n\n';
    expect(await eventStreamAnswer(streamOf(text))).toEqual({ result: { a: 1 } });
  });

  it('are read where JSON was asked for', async () => {
    const hub = answering(
      () =>
        new Response('data: {"jsonrpc":"2.0","id":1,"result":{"x":1}}\n\n', {
          headers: { 'content-type': 'text/event-stream' },
        }),
    );
    expect(await rpc(hub, { server: 's', method: 'ping' })).toEqual({ x: 1 });
  });
});

describe('JSON-RPC through the hub', () => {
  it('refuses an answer that is none', async () => {
    await expect(
      rpc(
        answering(() => Response.json({})),
        { server: 's', method: 'ping' },
      ),
    ).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
  });

  it.each([
    [{ code: -32601, message: 'No.' }, 'METHOD_NOT_FOUND'],
    [{ code: -1, message: 'Own.', data: { code: 'UPSTREAM_AUTH' } }, 'UPSTREAM_AUTH'],
    [{ code: -1, message: 'Odd.', data: 'text' }, 'UPSTREAM_PROTOCOL'],
    ['rubbish', 'UPSTREAM_PROTOCOL'],
  ])('gives %j the code %s', (error, code) => {
    expect(rpcAnswerError(error).code).toBe(code);
  });

  it('does not turn pages for ever', async () => {
    const { api, seen } = fakeHub({ rpc: () => ({ tools: [1], nextCursor: 'same' }) });
    expect(await rpcListOrNone(api, { server: 's', method: 'tools/list' }, 'tools')).toEqual([1, 1]);
    expect(seen).toHaveLength(2);
  });
});

describe('the client of the hub', () => {
  it('reads every page', async () => {
    const all = Array.from({ length: 700 }, (_, index) =>
      aServer(
        { server_name: `s${index}`, config: { mcp_server_type: 'stdio', command: 'x', args: [] } },
        {},
        index + 1,
      ),
    );
    const hub = fetchHubApi({
      place: { kind: 'in-process' },
      signal: never,
      fetch: async (request) => {
        const query = new URL(request.url).searchParams;
        const from = all.findIndex((server) => server.id === query.get('after')) + 1;
        return Response.json(all.slice(from, from + Number(query.get('limit'))));
      },
    });
    expect(await hubClient(hub).servers()).toHaveLength(700);
  });

  it('hands on members of a newer hub, and does without those of an older one', async () => {
    const { updated_at: _updated, ...older } = aServer({
      server_name: 's',
      config: { mcp_server_type: 'stdio', command: 'x', args: [] },
    });
    const hub = hubClient(answering(() => Response.json([{ ...older, from_the_future: 1 }])));
    expect(await hub.servers()).toEqual([{ ...older, from_the_future: 1 }]);
  });

  it('refuses an answer of another shape', async () => {
    const hub = hubClient(answering(() => Response.json([{ nonsense: true }])));
    await expect(hub.servers()).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe('opening the hub', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plugboard-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  const note = { pid: 99, url: 'http://127.0.0.1:1', started_at: '2026-01-02T03:04:05.000Z' };
  const settings = async (): Promise<Settings> => ({ ...DEFAULTS, home }) as unknown as Settings;
  const options = (env: Record<string, string> = {}, isAlive = false) => ({
    process: { ...fakeProcess([], { env }), isAlive: () => isAlive },
    url: undefined,
    settings,
    compose: async () => ({ fetch: async () => Response.json({ local: true }), close: async () => {} }),
  });

  it('takes the one that was named', async () => {
    expect((await openHub({ ...options(), url: 'http://hub.example/' })).place).toEqual({
      kind: 'running',
      url: 'http://hub.example',
    });
    expect((await openHub(options({ PLUGBOARD_HUB_URL: 'https://hub.example' }))).place).toMatchObject({
      kind: 'running',
    });
    await expect(openHub({ ...options(), url: 'hub' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('composes one when none runs, also when a dead one left its note', async () => {
    await writeHubFile(home, note);
    const hub = await openHub(options());
    expect(hub.place).toEqual({ kind: 'in-process' });
    expect(await hub.request('GET', '/')).toEqual({ status: 200, json: { local: true } });
    await hub.close();
  });

  it('does not touch the store behind the back of a hub that does not answer', async () => {
    await writeHubFile(home, note);
    await expect(openHub(options({}, true))).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' });
  });

  it('finds a running hub by its note, its process and its answer', async () => {
    await writeHubFile(home, note);
    const find = (isAlive: boolean, fetch: () => Promise<Response>) =>
      findRunningHub(home, { isAlive: () => isAlive, fetch, signal: never });
    expect(await find(true, async () => Response.json({}))).toEqual({ state: 'answers', url: note.url, pid: 99 });
    expect(await find(true, async () => new Response('', { status: 500 }))).toMatchObject({ state: 'silent' });
    expect(await find(false, async () => Response.json({}))).toEqual({ state: 'none' });
  });
});
