import type { MonitorSample, ServerId } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.js';

const one = 'mcp_server-00000000-0000-4000-8000-000000000001' as ServerId;
const two = 'mcp_server-00000000-0000-4000-8000-000000000002' as ServerId;

const sample = (minute: number, members: Partial<MonitorSample> = {}): MonitorSample => ({
  at: new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString(),
  server_id: one,
  method: 'tools/list',
  tool: null,
  ok: true,
  code: null,
  duration_ms: 12.345,
  ...members,
});

const since = (minute: number): string => sample(minute).at;

/** What every store must do with samples of probes. */
export const describeMonitorStore = (storeOf: () => Store): void => {
  describe('samples of probes', () => {
    it('come back as they were put in, oldest first', async () => {
      const { monitor } = storeOf();
      const call = sample(1, { method: 'tools/call', tool: 'echo', ok: false, code: 'UPSTREAM_TIMEOUT' });
      await monitor.append([sample(2), call]);
      await monitor.append([]);
      expect(await monitor.read({ since: since(0), limit: 10 })).toEqual([call, sample(2)]);
    });

    it('are read by server, by time, and the newest when there are too many', async () => {
      const { monitor } = storeOf();
      await monitor.append([1, 2, 3, 4].map((minute) => sample(minute)));
      await monitor.append([sample(3, { server_id: two })]);
      expect(await monitor.read({ serverId: one, since: since(2), limit: 2 })).toEqual([sample(3), sample(4)]);
      expect(await monitor.read({ since: since(0), limit: 10 })).toHaveLength(5);
    });

    it('are forgotten when they are old, and with their server', async () => {
      const store = storeOf();
      const { monitor } = store;
      await monitor.append([1, 2, 3].map((minute) => sample(minute)));
      await monitor.append([sample(3, { server_id: two })]);
      expect(await monitor.forgetBefore(since(3))).toBe(2);
      await store.transaction((work) => work.deleteServer(one));
      expect(await monitor.read({ since: since(0), limit: 10 })).toEqual([sample(3, { server_id: two })]);
    });
  });
};
