import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckReport, CheckRunEvent } from '@plugboard/contract';
import { LOCAL_PRINCIPAL } from '@plugboard/contract';
import { checkTarget } from '@plugboard/check';
import { createUrlGuard } from '@plugboard/client';
import type { CheckRunStore, KeptCheckRun } from '@plugboard/registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quietLogger } from '../log/quiet-logger.js';
import { admitTarget } from './admit-target.js';
import { CheckDesk } from './check-desk.js';
import { RunLog } from './run-log.js';
import { forgetRun, keepRun, keptRunIds, runIdOf } from './run-store.js';
import { Turns } from './turns.js';

const gate = () => {
  let open = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, closed };
};

describe('turns', () => {
  it('let so many run at once, the others in the order in which they came', async () => {
    const turns = new Turns({ atOnce: 1, waiting: 2, listed: '/v1/checks' });
    const { signal } = new AbortController();
    const [first, done] = [gate(), [] as string[]];
    const one = turns.take(signal, () => first.closed);
    const others = ['two', 'three'].map((name) => turns.take(signal, async () => void done.push(name)));
    expect(() => turns.assertRoom()).toThrow('Too many runs are waiting');
    expect(done).toEqual([]);
    first.open();
    await Promise.all([one, ...others]);
    expect(done).toEqual(['two', 'three']);
    turns.assertRoom();
  });

  it('are given up when they are not wanted any more, and handed on when work fails', async () => {
    const turns = new Turns({ atOnce: 1, waiting: 2, listed: '/v1/checks' });
    const leaving = new AbortController();
    const first = gate();
    const failing = turns.take(leaving.signal, async () => {
      await first.closed;
      throw new Error('broken');
    });
    const waiting = turns.take(leaving.signal, () => Promise.reject(new Error('must not run')));
    leaving.abort();
    await waiting;
    await turns.take(AbortSignal.abort(), () => Promise.reject(new Error('must not run')));
    first.open();
    await expect(failing).rejects.toThrow('broken');
    let ran = false;
    await turns.take(new AbortController().signal, async () => void (ran = true));
    expect(ran).toBe(true);
  });
});

class MemoryRuns implements CheckRunStore {
  readonly kept = new Map<string, KeptCheckRun>();
  put = async (kept: KeptCheckRun): Promise<void> => void this.kept.set(kept.run.id, kept);
  get = async (id: string): Promise<KeptCheckRun | undefined> => this.kept.get(id);
  list = async (): Promise<readonly KeptCheckRun[]> => [...this.kept.values()];
  delete = async (id: string): Promise<void> => void this.kept.delete(id);
}

const event = (run_id: string): CheckRunEvent => ({
  event: 'check_run_started',
  at: '2026-01-01T00:00:00.000Z',
  run_id,
});

describe('the log of a run', () => {
  it('tells whoever joins late what was, then what comes, until its end', () => {
    const log = new RunLog();
    const heard: string[] = [];
    const listener = (name: string) => ({
      event: (id: number) => heard.push(`${name}${id}`),
      end: () => heard.push(`${name}.`),
    });
    log.put(event('a'));
    log.put(event('a'));
    log.watch(0, listener('x'));
    const stop = log.watch(1, listener('y'));
    log.put(event('a'));
    stop();
    log.end();
    log.watch(2, listener('z'));
    expect(heard).toEqual(['x1', 'x2', 'y2', 'x3', 'y3', 'x.', 'z3', 'z.']);
  });
});

const report = (members: Partial<CheckReport> = {}): CheckReport => ({
  format: 'plugboard.check/1',
  version: '1',
  target: { label: 'kept' },
  startedAt: '2026-01-02T03:04:05.678Z',
  durationMs: 10,
  seed: 1,
  tier: 'smoke',
  failOn: 'must',
  results: [],
  summary: { total: 0, pass: 0, fail: 0, warn: 0, notApplicable: 0, notVerified: 0, expected: 0, rate: 1 },
  staleBaseline: [],
  outcome: 'not-examined',
  reason: 'Nobody listens.',
  ...members,
});

it('the desk ends a run that breaks in the hub, for its watchers too', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-runs-'));
  const told: string[] = [];
  const desk = new CheckDesk({
    home,
    log: quietLogger,
    network: () => {
      throw new Error('broken');
    },
    baseEnv: {},
    prepare: (target) => Promise.resolve({ target, secrets: [] }),
    tell: ({ event }) => told.push(event),
    runs: new MemoryRuns(),
    holder: '0000000a',
    isThere: () => false,
  });
  const { id } = await desk.start(checkTarget.parse({ url: 'http://127.0.0.1:1/mcp' }), LOCAL_PRINCIPAL);
  await expect
    .poll(() => desk.get(id))
    .toMatchObject({
      state: 'finished',
      outcome: 'incomplete',
      reason: 'The hub failed while it carried out the run. Its log has the error.',
    });
  expect(told).toEqual(['check_run_queued', 'check_run_started', 'check_run_finished']);
  await desk.close();
  await rm(home, { recursive: true, force: true });
});

it('the desk keeps the limit of waiting runs when many are asked for at once', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-runs-'));
  const [prepared, runs] = [gate(), new MemoryRuns()];
  const desk = new CheckDesk({
    home,
    log: quietLogger,
    network: () => ({ admit: () => undefined, lookup: () => undefined }),
    baseEnv: {},
    prepare: async (target) => {
      await prepared.closed;
      return { target, secrets: [] };
    },
    tell: () => undefined,
    runs,
    holder: '0000000a',
    isThere: () => false,
  });
  const target = checkTarget.parse({ url: 'http://127.0.0.1:1/mcp' });
  const asked = Promise.allSettled(Array.from({ length: 30 }, () => desk.start(target, LOCAL_PRINCIPAL)));
  prepared.open();
  const outcomes = await asked;
  await desk.close();
  await rm(home, { recursive: true });
  // Two are carried out, twenty wait.
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(22);
  expect(outcomes.slice(22)).toMatchObject(
    Array.from({ length: 8 }, () => ({ status: 'rejected', reason: { code: 'RATE_LIMITED' } })),
  );
  expect(runs.kept.size).toBe(22);
});

describe('runs of an earlier hub', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plugboard-runs-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  it('of another process are shown as they are, and as interrupted when that process has ended', async () => {
    const runs = new MemoryRuns();
    let isThere = true;
    const desk = new CheckDesk({
      home,
      log: quietLogger,
      network: () => ({ admit: () => undefined, lookup: () => undefined }),
      baseEnv: {},
      prepare: () => Promise.reject(new Error('unused')),
      tell: () => undefined,
      runs,
      holder: '0000000a',
      isThere: () => isThere,
    });
    const id = runIdOf('2026-01-04T00:00:00.000Z', '0000000b11111111');
    const run = {
      id,
      state: 'running',
      target: { label: 'x' },
      tier: 'smoke',
      created_at: '2026-01-04T00:00:00.000Z',
      done: 0,
    } as const;
    await runs.put({ holder: '0000000b', run });
    expect(await desk.list({})).toEqual([run]);
    await expect(desk.report(id, 'json')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(desk.cancel(id)).rejects.toMatchObject({ code: 'CONFLICT' });

    isThere = false;
    const interrupted = {
      id,
      state: 'finished',
      outcome: 'incomplete',
      reason: expect.stringContaining('interrupted'),
    };
    expect(await desk.list({})).toMatchObject([interrupted]);
    expect(await desk.get(id)).toMatchObject(interrupted);
    expect(await desk.cancel(id)).toMatchObject(interrupted);
    await expect(desk.report(id, 'json')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const names: string[] = [];
    await desk.watch(id, 0, { event: (_number, told) => names.push(told.event), end: () => names.push('end') });
    expect(names).toEqual(['check_run_queued', 'check_run_finished', 'end']);

    // It ended after all.
    const ended = report();
    await runs.put({ holder: '0000000b', run: { ...run, state: 'finished', outcome: 'passed' }, report: ended });
    expect(JSON.parse((await desk.report(id, 'json')).text)).toMatchObject({ format: 'plugboard.check/1' });
    await desk.delete(id);
    expect(runs.kept.size).toBe(0);
  });

  it('are listed, read and watched from what was kept, and no others', async () => {
    const id = await keepRun(home, report());
    const later = await keepRun(home, report(), runIdOf('2026-01-03T00:00:00.000Z', 'abc'));
    const desk = new CheckDesk({
      home,
      log: quietLogger,
      network: () => ({ admit: () => undefined, lookup: () => undefined }),
      baseEnv: {},
      prepare: () => Promise.reject(new Error('unused')),
      tell: () => undefined,
      runs: new MemoryRuns(),
      holder: '0000000a',
      isThere: () => false,
    });
    expect((await desk.list({})).map((run) => run.id)).toEqual([later, id]);
    expect((await desk.list({ after: later })).map((run) => run.id)).toEqual([id]);
    expect(await desk.cancel(id)).toMatchObject({
      state: 'finished',
      outcome: 'not-examined',
      reason: 'Nobody listens.',
    });
    const names: string[] = [];
    await desk.watch(id, 1, {
      event: (number, told) => names.push(`${number} ${told.event}`),
      end: () => names.push('end'),
    });
    expect(names).toEqual(['2 check_run_started', '3 check_run_finished', 'end']);
    await desk.delete(id);
    await expect(desk.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(desk.start(checkTarget.parse({ name: 'x' }), LOCAL_PRINCIPAL)).rejects.toThrow('unused');
    await forgetRun(home, later);
    expect(await keptRunIds(home)).toEqual([]);
    await desk.close();
  });
});

describe('a target', () => {
  const admission = {
    stdio: { mode: 'off' },
    urls: createUrlGuard({ mode: 'deny-private', loopback: 'deny' }),
  } as const;
  it.each([
    [{ command: ['sh'] }, 'STDIO_DISABLED'],
    [{ url: 'http://127.0.0.1/' }, 'URL_REFUSED'],
    [{ url: 'https://server.example/', auth: { type: 'command' as const, command: ['sh'] } }, 'STDIO_DISABLED'],
    [{ url: 'https://server.example/', differential: { command: ['sh'] } }, 'STDIO_DISABLED'],
    [
      { url: 'https://server.example/', hub: { servers: [{ prefix: 'a__', url: 'http://127.0.0.1/' }] } },
      'URL_REFUSED',
    ],
    [{}, 'INVALID_ARGUMENT'],
  ])('%j is refused with %s', (target, code) => {
    expect(() => admitTarget(checkTarget.parse(target), admission)).toThrow(expect.objectContaining({ code }));
  });
});
