import type { ServerId } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { KeptLogEntry } from './log-store.js';
import type { Store } from './store.js';

const A = 'mcp_server-00000000-0000-4000-8000-00000000000a' as ServerId;
const B = 'mcp_server-00000000-0000-4000-8000-00000000000b' as ServerId;

const entry = (number: number, more: Partial<KeptLogEntry> = {}): KeptLogEntry => ({
  id: `log-${String(number).padStart(4, '0')}`,
  at: `2026-01-02T03:04:${String(number).padStart(2, '0')}.000Z`,
  server_id: A,
  kind: 'output',
  pid: 7,
  text: `line ${number}`,
  ...more,
});

const exit = {
  at: '2026-01-02T03:04:09.000Z',
  code: 1,
  signal: null,
  reason: 'exited',
  error: 'Error: no',
  last_lines: ['Error: no'],
};

/** What every store must do with the logs of servers. */
export const describeLogStore = (storeOf: () => Store): void => {
  describe('logs of servers', () => {
    it('come back in order, the last ones or those after one, and only of one server', async () => {
      const { logs } = storeOf();
      await logs.append([1, 2, 3, 4].map((number) => entry(number)));
      await logs.append([entry(5, { server_id: B, pid: null })]);
      expect(await logs.read(A, { limit: 2 })).toEqual([entry(3), entry(4)]);
      expect(await logs.read(A, { limit: 2, after: entry(1).id })).toEqual([entry(2), entry(3)]);
      expect(await logs.read(A, { limit: 2, after: entry(4).id })).toEqual([]);
      expect(await logs.read(B, { limit: 9 })).toEqual([entry(5, { server_id: B, pid: null })]);
    });

    it('keep what follows a NUL, which a program may print', async () => {
      const { logs } = storeOf();
      await logs.append([entry(1, { text: 'a\0b' }), entry(2)]);
      expect(await logs.read(A, { limit: 9 })).toEqual([entry(1, { text: 'a\uFFFDb' }), entry(2)]);
    });

    it('tell of starts and ends since a time', async () => {
      const { logs } = storeOf();
      const lives = [entry(1, { kind: 'started' }), entry(8, { kind: 'started' }), entry(9, { kind: 'exited', exit })];
      await logs.append([...lives, entry(10)]);
      expect(await logs.lives('2026-01-02T03:04:05.000Z')).toEqual(lives.slice(1));
    });

    it('are limited in number and in time, and go with their server', async () => {
      const { logs } = storeOf();
      await logs.append([1, 2, 3, 4].map((number) => entry(number)));
      await logs.append([entry(5, { server_id: B })]);
      await logs.keepLast(A, 3);
      expect(await logs.read(A, { limit: 9 })).toEqual([entry(2), entry(3), entry(4)]);
      await logs.keepLast(A, 3);
      await logs.forgetBefore('2026-01-02T03:04:03.000Z');
      expect(await logs.read(A, { limit: 9 })).toEqual([entry(3), entry(4)]);
      await logs.forget(A);
      expect(await logs.read(A, { limit: 9 })).toEqual([]);
      expect(await logs.read(B, { limit: 9 })).toHaveLength(1);
    });
  });
};
