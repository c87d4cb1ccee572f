import { type Era, fakeServer } from '@plugboard/testing';
import { describe, expect, it } from 'vitest';
import { connectThrough, DOORS } from '../../support/era-client.js';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const CELLS = DOORS.flatMap((door) => ERAS.map((era) => [door, era] as const));

const setUp = async (era: Era, after: (release: () => Promise<void>) => void) => {
  const server = fakeServer({ tools: ['echo', 'counter'], eras: era });
  const hub = await startRealHub();
  after(async () => {
    await hub.close();
    await server.close();
  });
  await addServer(hub, 'fake', httpConfig((await server.listenHttp()).url));
  return { server, hub };
};

const slowDown = (seconds: number) => [429, undefined, { 'retry-after': String(seconds) }] as const;

describe('a server that answers 429', () => {
  // Side by side: each waits for a second.
  it.concurrent.for(CELLS)('%s client, %s server: calls wait as long as it asks, and run once', async (cell, test) => {
    const [door, era] = cell;
    const { server, hub } = await setUp(era, test.onTestFinished);
    await using client = await connectThrough(door, hub.url, '');
    // Each answer moves the end of the pause: whoever was told first comes back too early.
    const calls = 3;
    server.script
      .on('tools/call')
      .first(calls)
      .delay(1500)
      .respondStatus(...slowDown(1));
    const progress: unknown[] = [];
    const answers = Array.from({ length: calls }, (_, index) =>
      client.call('fake__counter', { key: String(index) }, index === 0 ? (told) => progress.push(told) : undefined),
    );
    expect((await Promise.all(answers)).toSorted()).toEqual(['1', '2', '3']);
    expect(progress).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/asked for a pause/u) as string }),
    );
  });

  it('a pause that is longer than the caller can be left in silence is answered at once', async ({
    onTestFinished,
  }) => {
    const { server, hub } = await setUp('modern', onTestFinished);
    server.script
      .on('tools/call')
      .first()
      .respondStatus(...slowDown(45));
    const first = await hubCall(hub.url, 'POST', '/servers/fake/tools/echo', { text: 'a' });
    expect(first.json).toMatchObject({ error: { code: 'RATE_LIMITED', retry_after_ms: 45_000 } });
    const second = await hubCall(hub.url, 'POST', '/servers/fake/tools/echo', { text: 'b' });
    expect(second.json).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    expect(server.log.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});
