import { describe, expect, it } from 'vitest';
import { PoolBusyError } from '../isolate/isolate-pool.js';
import type { IsolateJob, RunOutcome } from '../isolate/isolate-job.js';
import { DEFAULT_SETTINGS } from './sandbox-settings.js';
import { Sandbox, type RunInput } from './sandbox.js';

const usage = { cpuMs: 1, memoryBytes: 1 };
const state = (bytes: number) => ({
  memory: new Uint8Array(bytes),
  stackPointer: 0,
  runtimePtr: 0,
  contextPtr: 0,
  extensions: [],
});
const completed = (more: object = {}): RunOutcome => ({
  kind: 'completed',
  value: { type: 'undefined' },
  usage,
  written: [],
  removed: [],
  ...more,
});
const input = (more: Partial<RunInput> = {}): RunInput => ({
  code: '1',
  language: 'javascript',
  files: [],
  limits: {},
  ...more,
});

const busy = (): never => {
  throw new PoolBusyError();
};

const rig = (outcome: (job: IsolateJob) => RunOutcome | Promise<RunOutcome>, settings: object = {}) => {
  const jobs: IsolateJob[] = [];
  const pool = {
    running: 0,
    waiting: 0,
    close: () => Promise.resolve(),
    run: async (job: IsolateJob, { onLine }: { onLine?: (line: { level: 'log'; text: string }) => void } = {}) => {
      // What every program starts from is made first.
      if (job.state === undefined && outcome !== busy) return completed({ state: state(1) });
      jobs.push(job);
      onLine?.({ level: 'log', text: 'line' });
      return outcome(job);
    },
  };
  return { jobs, sandbox: new Sandbox({ ...DEFAULT_SETTINGS, ...settings }, pool) };
};

describe('a run', () => {
  it('may ask for less than the server allows, never for more', async () => {
    const { jobs, sandbox } = rig(() => completed());
    await sandbox.run(input({ limits: { cpuMs: 10, timeMs: 1e9, memoryBytes: 1e12 } }), { owner: undefined });
    const { timeMs, memoryBytes } = DEFAULT_SETTINGS.limits;
    expect(jobs[0]?.limits).toMatchObject({ cpuMs: 10, timeMs, memoryBytes });
  });

  it('sees the files of its session and those it is given, and says what it printed', async () => {
    const { jobs, sandbox } = rig(() => completed());
    const { id } = sandbox.createSession(undefined);
    sandbox.putFile({ name: 'a', bytes: new Uint8Array(1) }, id, undefined);
    const { handle } = sandbox.putFile({ name: 'b', bytes: new Uint8Array(2) }, undefined, undefined);
    const { console } = await sandbox.run(input({ sessionId: id, files: [handle] }), { owner: undefined });
    expect(jobs[0]?.files.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(console).toEqual([{ level: 'log', text: 'line' }]);
  });

  it('leaves files and state behind in a session', async () => {
    const { jobs, sandbox } = rig(() =>
      completed({ state: state(10), written: [{ name: 'new', bytes: new Uint8Array(3) }], removed: ['a'] }),
    );
    const { id } = sandbox.createSession(undefined);
    sandbox.putFile({ name: 'a', bytes: new Uint8Array(1) }, id, undefined);
    const { files } = await sandbox.run(input({ sessionId: id }), { owner: undefined });
    expect(sandbox.listFiles(id, undefined)).toEqual(files);
    expect(files.map(({ name }) => name)).toEqual(['new']);
    await sandbox.run(input({ sessionId: id }), { owner: undefined });
    expect([jobs[0]?.state, jobs[1]?.state]).toEqual([state(1), state(10)]);
  });

  it('leaves nothing behind when it is stopped, or when its session was closed meanwhile', async () => {
    const written = [{ name: 'new', bytes: new Uint8Array(3) }];
    const { sandbox } = rig(() => ({ kind: 'stopped', code: 'CPU_LIMIT', usage }));
    const { id } = sandbox.createSession(undefined);
    expect(await sandbox.run(input({ sessionId: id }), { owner: undefined })).toMatchObject({ files: [] });
    const other = rig(() => {
      other.sandbox.closeSession(closing, undefined);
      return completed({ written });
    });
    const { id: closing } = other.sandbox.createSession(undefined);
    expect(await other.sandbox.run(input({ sessionId: closing }), { owner: undefined })).toMatchObject({ files: [] });
    expect(other.sandbox.load.sessions).toBe(0);
  });

  it('is refused when there is no room', async () => {
    const crowded = rig(busy);
    await expect(crowded.sandbox.run(input(), { owner: undefined })).rejects.toMatchObject({ code: 'BUSY' });
    const full = rig(() => completed({ state: state(20) }), { totalStateBytes: 10 });
    const { id } = full.sandbox.createSession(undefined);
    await expect(full.sandbox.run(input({ sessionId: id }), { owner: undefined })).rejects.toMatchObject({
      code: 'STATE_LIMIT',
    });
  });
});
