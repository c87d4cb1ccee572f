import type { AuditEntry } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { auditIds } from '../audit/audit-trail.js';
import { isoTime } from '../port/clock.js';
import type { KeptAuditEntry, Store } from './store.js';

const START = Date.parse('2026-01-02T00:00:00.000Z');

const entries = (count: number, changes: Partial<AuditEntry> = {}): AuditEntry[] => {
  const nextId = auditIds();
  return Array.from({ length: count }, (_, index) => ({
    id: nextId(START + index),
    at: isoTime(START + index),
    kind: index % 2 === 0 ? 'call' : 'admin',
    actor: 'local',
    action: 'tools/call',
    target: `weather/${index}`,
    outcome: 'ok',
    duration_ms: index,
    details: { arguments: { city: 'text' } },
    ...changes,
  }));
};

/** As they are kept. */
const kept = (all: readonly AuditEntry[]): readonly KeptAuditEntry[] =>
  all.map((entry) => ({ ...entry, at: Date.parse(entry.at), details: JSON.stringify(entry.details) }));

/** What every store must do with the audit trail. */
export const describeAuditStore = (storeOf: () => Store, tamper: (statement: string) => Promise<void>): void => {
  describe('the audit trail', () => {
    it('keeps texts and fractions as they can be', async () => {
      const { audit } = storeOf();
      const strange = ['', '{a,"b"}', 'NULL', 'back\\slash', "it's", 'two\nlines', '😀'];
      const all = strange.map((text, index) => ({
        ...entries(strange.length)[index],
        target: text,
        actor: text,
        duration_ms: index + 0.25,
        details: { arguments: { text } },
      })) as AuditEntry[];
      await audit.append(kept(all));
      const rounded = all.map((entry) => ({ ...entry, duration_ms: Math.round(entry.duration_ms) }));
      expect(await audit.read()).toEqual(rounded.toReversed());
    });

    it('gives the newest first, in pages', async () => {
      const { audit } = storeOf();
      const all = entries(450);
      await audit.append(kept(all.slice(0, 3)));
      await audit.append([]);
      await audit.append(kept(all.slice(3)));
      const newest = [...all].reverse();
      expect(await audit.read()).toEqual(newest.slice(0, 100));
      const first = await audit.read({ limit: 2 });
      expect(first).toEqual(newest.slice(0, 2));
      expect(await audit.read({ limit: 2, after: first[1]?.id })).toEqual(newest.slice(2, 4));
    });

    it('is only added to: the database refuses to change an entry, whoever asks', async () => {
      const { audit } = storeOf();
      const all = entries(3);
      await audit.append(kept(all));
      await expect(tamper(`update audit_log set actor = 'nobody'`)).rejects.toThrow('append-only');
      const again = entries(1, { ...all.slice(0, 1)[0], actor: 'nobody' });
      await expect(audit.append(kept(again))).rejects.toMatchObject({ name: 'PlugboardError' });
      expect(await audit.read()).toEqual([...all].reverse());
    });

    it('takes crowds of entries', async () => {
      const { audit } = storeOf();
      const all = entries(650);
      await audit.append(kept(all));
      const [newest] = await audit.read({ limit: 1 });
      expect(newest).toEqual(all.at(-1));
      const oldest = await audit.read({ limit: 1000 });
      expect(oldest).toEqual([...all].reverse());
    });

    it('can be asked for one kind, or from a time on', async () => {
      const { audit } = storeOf();
      const all = entries(10);
      await audit.append(kept(all));
      expect(await audit.read({ kind: 'admin' })).toHaveLength(5);
      expect(await audit.read({ since: isoTime(START + 8) })).toEqual([all[9], all[8]]);
    });

    it('forgets what is old, and changes no version', async () => {
      const { audit, version } = { audit: storeOf().audit, version: await storeOf().version() };
      await audit.append(kept(entries(4)));
      expect(await audit.forgetBefore(isoTime(START + 3))).toBe(3);
      expect(await audit.read()).toHaveLength(1);
      expect(await storeOf().version()).toBe(version);
    });

    it('takes each entry once, and others after a refusal', async () => {
      const { audit } = storeOf();
      const [entry, other] = [entries(2).slice(0, 1), entries(2).slice(1)];
      await audit.append(kept(entry));
      await expect(audit.append(kept(entry))).rejects.toMatchObject({ name: 'PlugboardError' });
      await audit.append(kept(other));
      expect(await audit.read()).toEqual([...other, ...entry]);
    });
  });
};
