import { randomUUID } from 'node:crypto';
import type { ServerId, Toolset } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.js';

const AT = '2026-01-02T03:04:05.678Z';
const serverId: ServerId = 'mcp_server-00000000-0000-4000-8000-000000000000';

export const sampleToolset = (name: string, changes: Partial<Toolset> = {}): Toolset => ({
  id: `toolset-${randomUUID()}`,
  name,
  description: 'Zürich → ✓',
  entries: [
    {
      server_id: serverId,
      upstream_name: 'a',
      name: 'b',
      description: 'c',
      preset_arguments: { city: 'Oslo', deep: { n: [1, null] } },
      hidden_arguments: ['x'],
    },
  ],
  read_only: true,
  provider: 'openai-strict',
  exposure: 'search',
  created_at: AT,
  updated_at: AT,
  ...changes,
});

/** What every store must do with toolsets. */
export const describeToolsetStore = (storeOf: () => Store): void => {
  describe('toolsets', () => {
    it('come back as they were stored, by name, and raise the version', async () => {
      const store = storeOf();
      const [two, one] = [sampleToolset('two'), sampleToolset('one')];
      await store.transaction(async (tx) => {
        await tx.putToolset(two);
        await tx.putToolset(one);
      });
      expect(await store.changesSince(0)).toMatchObject({ version: 1, toolsets: [one, two] });
      await store.transaction(async (tx) => {
        expect(await tx.toolset(one.id)).toEqual(one);
        expect(await tx.toolset('toolset-none')).toBeUndefined();
        expect(await tx.toolsetIdByName('two')).toBe(two.id);
        expect(await tx.toolsetIdByName('TWO')).toBeUndefined();
      });
    });

    it('are replaced by id, keep when they were made, and go', async () => {
      const store = storeOf();
      const toolset = sampleToolset('one');
      await store.transaction((tx) => tx.putToolset(toolset));
      const changed = { ...toolset, name: 'other', entries: [], updated_at: '2027-01-01T00:00:00.000Z' };
      await store.transaction((tx) => tx.putToolset({ ...changed, created_at: changed.updated_at }));
      expect((await store.changesSince(1)).toolsets).toEqual([changed]);
      await store.transaction((tx) => tx.deleteToolset(toolset.id));
      expect(await store.changesSince(2)).toMatchObject({ version: 3, toolsets: [] });
    });

    it('refuse a name that is taken', async () => {
      const store = storeOf();
      await store.transaction((tx) => tx.putToolset(sampleToolset('one')));
      const second = store.transaction((tx) => tx.putToolset(sampleToolset('one')));
      await expect(second).rejects.toMatchObject({ code: 'CONFLICT' });
    });
  });
};
