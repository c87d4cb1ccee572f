import { McpProtocolError } from '@plugboard/client';
import { describe, expect, it } from 'vitest';
import { callOf, clientOf } from '../../test-support/call.js';
import { sampleServer } from '../../test-support/catalogue.js';
import { RecordingClient, type Recorded } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { mergedList, promptNames } from './merged-list.js';
import { OfferBook } from './offer-book.js';
import { resourceOwner } from '../../pipeline/route/owner/resource-owner.js';

const [a, b, slow] = [sampleServer('a', 1), sampleServer('b', 2), sampleServer('slow', 3)];
const CAPABILITIES = { capabilities: { prompts: {}, resources: {} } };

const setUp = (answers: Readonly<Record<string, (asked: Recorded) => unknown>>) => {
  const clients = new Map<string, RecordingClient>();
  const upstream = new UpstreamPool({
    idleMs: 1000,
    makeClient: (server) => {
      const client = new RecordingClient((asked) => answers[server.server_name]?.(asked) ?? {}, CAPABILITIES);
      clients.set(server.server_name, client);
      return client;
    },
  });
  return { upstream, clients, book: new OfferBook({ upstream, waitMs: 30 }) };
};

const scope = (servers: readonly (typeof a)[]) => ({ ...callOf('x').scope, servers: () => servers });
const prompts = (...names: readonly string[]) => ({ prompts: names.map((name) => ({ name, vendor: 1 })) });

describe('merged lists', () => {
  it('prefix prompts, keep what they do not know, and say how each server did', async () => {
    const { book } = setUp({
      a: () => prompts('p', 'q'),
      b: () => {
        throw new McpProtocolError('UPSTREAM_PROTOCOL', 'broken');
      },
      slow: () => new Promise(() => undefined),
    });
    const call = callOf('prompts/list', {}, { scope: scope([a, b, slow]) });
    expect(await mergedList(book, call, 'prompts', {})).toEqual({
      prompts: [
        { name: 'a__p', vendor: 1 },
        { name: 'a__q', vendor: 1 },
      ],
      _meta: {
        'dev.plugboard/servers': {
          a: { state: 'ready' },
          b: { state: 'failing', code: 'UPSTREAM_PROTOCOL' },
          slow: { state: 'slow' },
        },
      },
    });
    expect(promptNames(book, [a, b]).find('a__q')).toEqual({ server: a, name: 'q' });
  });

  it('show what two servers list on later pages under an address of each, and find it without its page having been asked for', async () => {
    const page = ({ params }: Recorded): object =>
      (params as { cursor?: string } | undefined)?.cursor === '2'
        ? { resources: [{ uri: 'x://2' }] }
        : { resources: [{ uri: 'x://1' }], nextCursor: '2' };
    const asked: string[] = [];
    const { book } = setUp({
      a: (one) => {
        asked.push(one.method);
        return page(one);
      },
      b: page,
    });
    const list = async (cursor?: string) => {
      const params = cursor === undefined ? {} : { cursor };
      return await mergedList(book, callOf('resources/list', params, { scope: scope([a, b]) }), 'resources', {});
    };
    await book.firstPage(a, 'resources');
    expect(resourceOwner(book, [a, b], 'x://2')).toBeUndefined();
    await book.readOn(a, 'resources');
    expect(resourceOwner(book, [b, a], 'x://2')).toBe(a);
    const before = asked.length;
    await book.readOn(a, 'resources');
    expect(asked).toHaveLength(before);
    const uris: unknown[] = [];
    for (let next = await list(); ; next = await list(next['nextCursor'] as string)) {
      uris.push(...(next['resources'] as readonly { uri: string }[]).map(({ uri }) => uri));
      if (next['nextCursor'] === undefined) break;
    }
    expect(uris).toEqual(['x://1', 'x://2', 'x://b.plugboard/1', 'x://b.plugboard/2']);
    book.invalidate(a.id, 'resources');
    expect(resourceOwner(book, [a], 'x://2')).toBeUndefined();
  });

  it('go on where they stopped: at a page of one server, then with the next', async () => {
    const pages: Readonly<Record<string, object>> = {
      first: { resources: [{ uri: 'x://1' }], nextCursor: '2' },
      '2': { resources: [{ uri: 'x://2' }] },
    };
    const { book } = setUp({
      a: ({ params }) => pages[(params as { cursor?: string } | undefined)?.cursor ?? 'first'],
      b: () => ({ resources: [{ uri: 'x://1' }, { uri: 'y://1' }] }),
    });
    const modern = { client: clientOf('2026-07-28'), scope: scope([a, b]) };
    const first = await mergedList(book, callOf('resources/list', {}, modern), 'resources', { name: 'hub' });
    expect(first).toMatchObject({ resultType: 'complete', ttlMs: 0, resources: [{ uri: 'x://1' }] });
    const second = await mergedList(
      book,
      callOf('resources/list', { cursor: first['nextCursor'] }, modern),
      'resources',
      { name: 'hub' },
    );
    expect(second['resources']).toMatchObject([{ uri: 'x://2' }, { uri: 'x://b.plugboard/1' }, { uri: 'y://1' }]);
    expect(second['nextCursor']).toBeUndefined();
    await expect(
      mergedList(book, callOf('resources/list', { cursor: 'rubbish' }, modern), 'resources', {}),
    ).rejects.toThrow('cursor');
  });

  it('are served from what is known, asked anew after a change, and forgotten with their server', async () => {
    let names = ['old'];
    const { book, clients } = setUp({ a: () => prompts(...names) });
    await book.firstPage(a, 'prompts');
    names = ['new'];
    await book.firstPage(a, 'prompts');
    expect(clients.get('a')?.asked).toHaveLength(1);
    book.invalidate(a.id, 'prompts');
    expect((await book.firstPage(a, 'prompts')).page.items).toEqual([{ name: 'new', vendor: 1 }]);
    book.retain(new Set());
    expect(book.known(a, 'prompts')).toEqual([]);
  });

  it('are what was known before while a server takes long to say what changed, and never what it said before that', async () => {
    const waiting: ((result: unknown) => void)[] = [];
    let isSlow = false;
    const { book } = setUp({
      a: () => (isSlow ? new Promise((resolve) => waiting.push(resolve)) : prompts('old')),
    });
    await book.firstPage(a, 'prompts');
    isSlow = true;
    book.invalidate(a.id, 'prompts');
    expect((await book.firstPage(a, 'prompts')).page.items).toEqual([{ name: 'old', vendor: 1 }]);
    book.invalidate(a.id, 'prompts');
    const asked = book.firstPage(a, 'prompts');
    waiting[1]?.(prompts('new'));
    expect((await asked).page.items).toEqual([{ name: 'new', vendor: 1 }]);
    waiting[0]?.(prompts('late'));
    await Promise.resolve();
    expect(book.known(a, 'prompts')).toEqual([{ name: 'new', vendor: 1 }]);
  });

  it('ask no server for what it does not offer, and take an unknown method for an empty list', async () => {
    const { book, upstream, clients } = setUp({
      a: () => {
        throw new McpProtocolError('METHOD_NOT_FOUND', 'm', { rpc: { code: -32601, message: 'm' } });
      },
    });
    expect(await book.firstPage(a, 'prompts')).toEqual({
      page: expect.objectContaining({ items: [] }),
      outcome: { state: 'ready' },
    });
    await upstream.link(b).ready(new AbortController().signal);
    Object.assign(clients.get('b') ?? {}, {});
    expect((await book.firstPage(b, 'templates')).outcome.state).toBe('ready');
  });
});

describe('the owner of a resource', () => {
  it('is who lists it first, else who has a template, else who has its like', async () => {
    const { book } = setUp({
      a: ({ method }) =>
        method === 'resources/list'
          ? { resources: [{ uri: 'x://1' }] }
          : { resourceTemplates: [{ uriTemplate: 'x://t/{id}' }] },
      b: ({ method }) =>
        method === 'resources/list' ? { resources: [{ uri: 'x://1' }, { uri: 'y://h/1' }] } : { resourceTemplates: [] },
    });
    for (const server of [a, b]) {
      await book.firstPage(server, 'resources');
      await book.firstPage(server, 'templates');
    }
    const owner = (uri: string): string | undefined => resourceOwner(book, [a, b], uri)?.server_name;
    expect([owner('x://1'), owner('x://t/7'), owner('y://h/other'), owner('z://1'), owner('nothing')]).toEqual([
      'a',
      'a',
      'b',
      undefined,
      undefined,
    ]);
  });
});
