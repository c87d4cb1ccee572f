import { describe, expect, it } from 'vitest';
import { DEFAULT_MONITOR, monitorFile, monitorSettings } from './monitor-settings.js';

const source = { configFile: '/etc/plugboard/plugboard.json', environment: { HOOK_SECRET: 'from the environment' } };

describe('monitor settings', () => {
  it('are off by default', () => {
    expect(monitorSettings(undefined, source)).toEqual(DEFAULT_MONITOR);
    expect(DEFAULT_MONITOR.enabled).toBe(false);
  });

  it('are those of the file, with the secret from the environment and the lock file beside the file', () => {
    const file = monitorFile.parse({
      enabled: true,
      intervalSeconds: 30,
      canaries: { files: { tool: 'list' } },
      lockFile: 'mcp.lock.json',
      webhook: { url: 'https://hooks.example/x', secret: '${HOOK_SECRET}' },
    });
    expect(monitorSettings(file, source)).toMatchObject({
      enabled: true,
      intervalMs: 30_000,
      lockFile: '/etc/plugboard/mcp.lock.json',
      webhook: { url: 'https://hooks.example/x', secret: 'from the environment' },
    });
  });

  it('name a variable of the secret that has no value', () => {
    const file = monitorFile.parse({ webhook: { url: 'https://hooks.example/x', secret: '${NOT_SET}' } });
    expect(() => monitorSettings(file, source)).toThrow('NOT_SET');
  });

  it.each([{ intervalSeconds: 1 }, { objective: 1 }, { webhook: { url: 'ftp://x' } }, { canary: 'all' }])(
    'refuse %j',
    (file) => {
      expect(monitorFile.safeParse(file).success).toBe(false);
    },
  );
});
