import { describe, expect, it } from 'vitest';
import { errorOf } from '../policy/test-support/call.js';
import { createFakeClock, settle } from '../deadline/test-support/fake-clock.js';
import type { RestartPolicy } from './restart-budget.js';
import { createStdioServer } from './stdio-server.js';
import { createFakeChild, type FakeChild } from './test-support/fake-child.js';

const spec = { command: 'notes', args: [], env: {} };

const setUp = (restart: Partial<RestartPolicy> = {}) => {
  const clock = createFakeClock();
  const children: FakeChild[] = [];
  const states: string[] = [];
  const launch = () => {
    children.push(createFakeChild(100 + children.length));
    return Promise.resolve(children.at(-1) as FakeChild);
  };
  const server = createStdioServer({ name: 'notes', restart }, { launch, clock, random: () => 1 });
  const unsubscribe = server.onChange((state) => states.push(state.status));
  return { clock, children, states, unsubscribe, server };
};

describe('a stdio server', () => {
  it('runs a child for each connection', async () => {
    const { children, server } = setUp();
    await Promise.all([server.launch(spec), server.launch(spec)]);
    expect(server.state()).toEqual({ status: 'well', children: 2 });
    await children[0]?.process.stop();
    expect(server.state()).toEqual({ status: 'well', children: 1 });
  });

  it('starts the next child at once after one fall, and later ones after a wait', async () => {
    const { clock, children, server } = setUp({ baseDelayMs: 1_000 });
    await server.launch(spec);
    children[0]?.end();
    await settle();
    await server.launch(spec);
    children[1]?.end();
    await settle();
    expect(server.state()).toEqual({ status: 'backing-off', children: 0, restartAt: 1_000 });
    const third = server.launch(spec);
    await clock.advance(1_000);
    expect((await third).pid).toBe(102);
  });

  it('refuses at once in a crash loop, until time or a hand clears it', async () => {
    const { clock, children, states, unsubscribe, server } = setUp({ maxRestarts: 0, windowMs: 5_000 });
    await server.launch(spec);
    children[0]?.end({ code: 3, stderrTail: ['boom'] });
    await settle();
    expect(server.state()).toEqual({ status: 'crash-loop', children: 0, retryAt: 5_000, failures: 1 });
    expect(await errorOf(server.launch(spec))).toMatchObject({
      code: 'PROCESS_CRASH_LOOP',
      retryAfterMs: 5_000,
      details: { stderr_tail: 'boom' },
    });
    server.reset();
    await server.launch(spec);
    children[1]?.end();
    await settle();
    await clock.advance(5_000);
    await server.launch(spec);
    expect(states).toEqual(['well', 'crash-loop', 'well', 'well', 'crash-loop', 'well']);
    unsubscribe();
    children[2]?.end();
    await settle();
    expect(states).toHaveLength(6);
  });

  it('takes another command for a repair', async () => {
    const { children, server } = setUp({ maxRestarts: 0 });
    await server.launch(spec);
    children[0]?.end();
    await settle();
    expect((await errorOf(server.launch({ ...spec }))).code).toBe('PROCESS_CRASH_LOOP');
    expect((await server.launch({ ...spec, args: ['--repaired'] })).pid).toBe(101);
  });

  it('does not mind clean exits and stops', async () => {
    const { children, server } = setUp({ maxRestarts: 0 });
    for (let round = 0; round < 3; round += 1) {
      await server.launch(spec);
      if (round === 0) children.at(-1)?.end({ code: 0 });
      else await children.at(-1)?.process.stop(round === 1 ? 'stopped' : 'idle');
      await settle();
    }
    expect(server.state()).toEqual({ status: 'well', children: 0 });
  });

  it('stays down for good when it shall never be restarted', async () => {
    const { children, server } = setUp({ mode: 'never' });
    await server.launch(spec);
    children[0]?.end({ reason: 'memory-limit' });
    await settle();
    expect((await errorOf(server.launch(spec))).code).toBe('PROCESS_MEMORY_LIMIT');
  });

  it('ends a child that nobody wants any more', async () => {
    const { children, server } = setUp();
    const controller = new AbortController();
    const launching = errorOf(server.launch(spec, { signal: controller.signal }));
    controller.abort();
    expect((await launching).code).toBe('CANCELLED');
    expect(children[0]?.stops).toEqual(['stopped']);
  });
});
