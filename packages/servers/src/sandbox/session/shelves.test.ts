import { describe, expect, it } from 'vitest';
import { FileShelf } from './file-shelf.js';
import { SessionShelf } from './session-shelf.js';

const clock = (): { now: () => number; pass: (ms: number) => void } => {
  let at = 1000;
  return { now: () => at, pass: (ms) => void (at += ms) };
};

const state = (bytes: number) => ({
  memory: new Uint8Array(bytes),
  stackPointer: 0,
  runtimePtr: 0,
  contextPtr: 0,
  extensions: [],
});

describe('sessions', () => {
  const shelf = (time = clock(), ended: string[] = []) => ({
    time,
    ended,
    sessions: new SessionShelf({
      maxSessions: 2,
      stateBytes: 100,
      idleMs: 50,
      now: time.now,
      onEnd: ({ id }) => ended.push(id),
    }),
  });

  it('have ids that cannot be guessed', () => {
    const { sessions } = shelf();
    const [one, two] = [sessions.create(undefined), sessions.create(undefined)];
    expect(one.id).toMatch(/^ses_[\w-]{24}$/u);
    expect(one.id).not.toBe(two.id);
  });

  it('are bounded in number, and make room when they expire', () => {
    const { sessions, time, ended } = shelf();
    const first = sessions.create('me');
    time.pass(30);
    sessions.create('me');
    expect(() => sessions.create('me')).toThrow(expect.objectContaining({ code: 'SESSION_LIMIT' }) as Error);
    time.pass(30);
    sessions.create('me');
    expect(ended).toEqual([first.id]);
    expect(() => sessions.get(first.id, 'me')).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }) as Error);
  });

  it('do not expire while they run, and live on from its end', async () => {
    const { sessions, time } = shelf();
    const session = sessions.create('me');
    await sessions.use(session, async () => {
      time.pass(1000);
      sessions.sweep();
      await expect(sessions.use(session, () => Promise.resolve())).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    });
    time.pass(40);
    expect(sessions.get(session.id, 'me')).toBe(session);
  });

  it('are for their owner alone', () => {
    const { sessions } = shelf();
    const { id } = sessions.create('me');
    expect(sessions.close(id, 'other')).toBe(false);
    expect(() => sessions.get(id, undefined)).toThrow('The session does not exist');
    expect(sessions.close(id, 'me')).toBe(true);
  });

  it('keep states up to a total', () => {
    const { sessions } = shelf();
    const [one, two] = [sessions.create(undefined), sessions.create(undefined)];
    expect([sessions.keep(one, state(60)), sessions.keep(two, state(50)), sessions.keep(one, state(90))]).toEqual([
      true,
      false,
      true,
    ]);
    expect([one.state?.memory.byteLength, two.state]).toEqual([90, undefined]);
  });
});

describe('files', () => {
  const shelf = (time = clock()) => ({
    time,
    files: new FileShelf({ fileBytes: 10, filesBytes: 15, fileCount: 2, totalBytes: 40, idleMs: 50, now: time.now }),
  });
  const file = (name: string, size: number, sessionId?: string, owner?: string) => ({
    name,
    bytes: new Uint8Array(size),
    owner,
    sessionId,
  });
  const code = (run: () => unknown): unknown => {
    try {
      run();
      return 'done';
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  };

  it('of a session are replaced by name, bounded, and go with it', () => {
    const { files } = shelf();
    const old = files.put(file('a', 10, 's'));
    files.put(file('a', 5, 's'));
    files.put(file('b', 10, 's'));
    expect(files.ofSession('s').map(({ name, bytes }) => [name, bytes.byteLength])).toEqual([
      ['a', 5],
      ['b', 10],
    ]);
    expect([
      code(() => files.put(file('b', 11, 's'))),
      code(() => files.put(file('a', 6, 's'))),
      code(() => files.put(file('c', 0, 's'))),
    ]).toEqual(['FILE_LIMIT', 'FILE_LIMIT', 'FILE_LIMIT']);
    expect(code(() => files.get(old.handle, undefined))).toBe('FILE_NOT_FOUND');
    files.dropSession('s');
    expect([files.ofSession('s'), files.bytes]).toEqual([[], 0]);
  });

  it('without a session expire when they are not used', () => {
    const { files, time } = shelf();
    const [used, unused] = [files.put(file('a', 1)), files.put(file('b', 1))];
    time.pass(30);
    files.get(used.handle, undefined);
    time.pass(30);
    expect([code(() => files.get(used.handle, undefined)), code(() => files.get(unused.handle, undefined))]).toEqual([
      'done',
      'FILE_NOT_FOUND',
    ]);
  });

  it('are for their owner alone, have decent names, and fit in all', () => {
    const { files } = shelf();
    const { handle } = files.put(file('a', 10, undefined, 'me'));
    expect(code(() => files.get(handle, 'other'))).toBe('FILE_NOT_FOUND');
    expect(code(() => files.put(file('../a', 1)))).toBe('FILE_INVALID');
    for (const name of ['b', 'c', 'd']) files.put(file(name, 10));
    expect(code(() => files.put(file('e', 1)))).toBe('FILE_LIMIT');
    files.drop('unknown');
  });
});
