import { expect, it } from 'vitest';
import { sampleServer } from '../../test-support/catalogue.js';
import { RecordingClient } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { OfferBooks } from './offer-books.js';

const config = { mcp_server_type: 'streamable_http', server_url: 'https://a.example/' } as const;
const open = sampleServer('a', 1, { config });
const fixed = sampleServer('b', 2);

it('keeps what a server shows to one login from those who use another', async () => {
  const logins: (string | undefined)[] = [];
  const upstream = new UpstreamPool({
    idleMs: 1000,
    makeClient: (_server, { login }) => {
      logins.push(login);
      return new RecordingClient(() => ({ resources: [{ uri: `test://${login ?? 'hub'}` }] }));
    },
  });
  const books = new OfferBooks({ upstream, maxBooks: 3 });
  const uris = async (ownLogin: string | undefined, server = open) => {
    const { page } = await books.for({ principal: 'key', ownLogin }).firstPage(server, 'resources');
    return page.items.map(({ uri }) => uri);
  };
  expect(await uris(undefined)).toEqual(['test://hub']);
  expect(await uris('agent-1')).toEqual(['test://agent-1']);
  expect(await uris('agent-2')).toEqual(['test://agent-2']);
  expect(await uris('agent-1')).toEqual(['test://agent-1']);
  expect(logins).toEqual([undefined, 'agent-1', 'agent-2']);
  expect(books.for({ principal: 'key', ownLogin: 'agent-2' }).known(open, 'resources')).toHaveLength(1);
  // Where no login is used, everybody shares.
  expect(await uris('agent-1', fixed)).toEqual(await uris('agent-2', fixed));
  books.retain(new Set([fixed.id]));
  expect(books.for({ principal: 'key', ownLogin: 'agent-1' }).known(open, 'resources')).toEqual([]);
  await uris('agent-3');
  expect(books.size).toBe(3);
  await upstream.close();
});
