import { afterEach, describe, expect, it } from 'vitest';
import { revisionOf } from '@plugboard/wire';
import type { Scope } from '../call/scope.js';
import { LegacySession } from './legacy-session.js';
import { type SessionHolder, SessionTable, type SessionTableOptions } from './session-table.js';

const scope = { id: 'all' } as Scope;
let clock = 0;
let table: SessionTable<SessionHolder> | undefined;
afterEach(() => table?.close());

const rig = (options: SessionTableOptions) => {
  table = new SessionTable({ now: () => clock, ...options });
  let count = 0;
  return (principal: string): LegacySession => {
    count += 1;
    clock += 1;
    const client = {
      revision: revisionOf('2025-11-25'),
      capabilities: {},
      clientInfo: undefined,
      caller: { principal },
    };
    const session = new LegacySession({ id: `${principal}-${count}`, scope, client, deliver: () => undefined });
    session.usedAt = clock;
    table?.add({ session });
    return session;
  };
};

const use = (session: LegacySession): void => {
  session.begin(1).end();
  session.usedAt = clock;
};

describe('SessionTable', () => {
  it('lets one caller push out its own sessions only', () => {
    const open = rig({ maxSessions: 10, maxPerCaller: 4 });
    const other = open('b');
    const mine = Array.from({ length: 12 }, () => open('a'));
    expect(other.ended).toBe(false);
    expect(mine.filter(({ ended }) => !ended)).toHaveLength(4);
  });

  it('takes room from whoever has most, when there is none left for anybody', () => {
    const open = rig({ maxSessions: 6, maxPerCaller: 5 });
    const [first] = Array.from({ length: 4 }, () => open('a'));
    const others = [open('b'), open('c')];
    const late = open('d');
    expect([...others, late].map(({ ended }) => ended)).toEqual([false, false, false]);
    expect(first?.ended).toBe(true);
  });

  it('gives up those that were never used before any that was', () => {
    const open = rig({ maxPerCaller: 3 });
    const used = open('a');
    use(used);
    const flood = Array.from({ length: 50 }, () => open('a'));
    expect(used.ended).toBe(false);
    expect(flood.filter(({ ended }) => !ended)).toHaveLength(2);
  });

  it('refuses one more when all of a caller are busy', () => {
    const open = rig({ maxPerCaller: 2 });
    for (const session of [open('a'), open('a')]) session.openStreams = 1;
    expect(() => open('a')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }) as Error);
    expect(open('b').ended).toBe(false);
  });
});
