import type { PluginRequest } from '../plugin.js';

export const pluginRequest = (action: string, parameters: Record<string, unknown> = {}): PluginRequest => ({
  request_id: 'r-1',
  timestamp: '2026-11-16T00:00:00.000Z',
  action,
  parameters,
});

export const never = new AbortController().signal;
