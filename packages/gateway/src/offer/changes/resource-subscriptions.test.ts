import { deferred } from '@plugboard/base';
import { afterEach, describe, expect, it } from 'vitest';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { callOf, emptyScope, sessionOf } from '../../test-support/call.js';
import { sampleServer } from '../../test-support/catalogue.js';
import { RecordingClient, type Recorded } from '../../test-support/recording-client.js';
import { OfferBooks } from '../aggregate/offer-books.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';

const files = sampleServer('files', 1);
const scope = { ...emptyScope, kind: 'server' as const, servers: () => [files] };

const pools: UpstreamPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

/** Subscriptions of one session at the endpoint of one server. */
const subscriptionsOn = (answer: (asked: Recorded) => unknown = () => ({})) => {
  const clients: RecordingClient[] = [];
  const links = new Set<UpstreamLink>();
  const upstream = new UpstreamPool({
    idleMs: 1000,
    makeClient: () => {
      const client = new RecordingClient(answer);
      clients.push(client);
      return client;
    },
  });
  pools.push(upstream);
  const holdLink = upstream.link.bind(upstream);
  upstream.link = (...args) => {
    const link = holdLink(...args);
    links.add(link);
    return link;
  };
  const subscriptions = new ResourceSubscriptions({ upstream, books: new OfferBooks({ upstream }) });
  const session = sessionOf();
  const callFor = (uri: string) => callOf('resources/subscribe', { uri }, { session, scope });
  return {
    session,
    subscribe: (uri: string) => subscriptions.subscribe(callFor(uri)),
    unsubscribe: (uri: string) => subscriptions.unsubscribe(callFor(uri)),
    asked: (method: string) => clients.flatMap(({ asked }) => asked).filter((one) => one.method === method),
    /** How often links are held, and how many resources are watched on them. */
    left: () => [...links].reduce((sum, { users, resources }) => sum + users + resources.size, 0),
  };
};

describe('subscriptions to resources', () => {
  it('refuses a URI of 3 MiB at the endpoint of one server, before the server is asked', async () => {
    const { subscribe, asked } = subscriptionsOn();
    await expect(subscribe(`x://${'a'.repeat(3 * 1024 * 1024)}`)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(subscribe(`x://${'a'.repeat(8189)}`)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(asked('resources/subscribe')).toEqual([]);
    expect(await subscribe(`x://${'a'.repeat(8188)}`)).toEqual({});
  });

  it('refuses the 1,001st of a session, also when all come at once, until one is given up', async () => {
    const { subscribe, unsubscribe, asked } = subscriptionsOn();
    const outcomes = await Promise.allSettled(Array.from({ length: 1001 }, (_, at) => subscribe(`x://${at}`)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'RATE_LIMITED', hint: expect.stringContaining('Unsubscribe') } }]);
    expect(asked('resources/subscribe')).toHaveLength(1000);
    expect(await subscribe('x://0')).toEqual({});
    await unsubscribe('x://0');
    expect(await subscribe('x://1000')).toEqual({});
  });

  it('holds a resource once that is subscribed to twice at once', async () => {
    const { subscribe, unsubscribe, left } = subscriptionsOn();
    await Promise.all([subscribe('x://a'), subscribe('x://a')]);
    expect(left()).toBe(2);
    await unsubscribe('x://a');
    expect(left()).toBe(0);
  });

  it('leaves nothing when the session ends, or unsubscribes, before the server answers', async () => {
    for (const act of ['end', 'unsubscribe'] as const) {
      const answer = deferred<object>();
      const { session, subscribe, unsubscribe, asked, left } = subscriptionsOn(({ method }) =>
        method === 'resources/subscribe' ? answer.promise : {},
      );
      const subscribing = subscribe('x://a').catch((error: unknown) => error);
      await expect.poll(() => asked('resources/subscribe')).toHaveLength(1);
      if (act === 'end') session.end();
      else await unsubscribe('x://a');
      answer.resolve({});
      expect(await subscribing).toMatchObject(act === 'end' ? { code: 'CANCELLED' } : {});
      expect(left()).toBe(0);
      expect(asked('resources/unsubscribe')).toHaveLength(1);
    }
  });
});
