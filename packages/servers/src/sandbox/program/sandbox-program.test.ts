import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SANDBOX_ERRORS } from '../sandbox-error.js';
import { sandboxProgram, settingsFrom } from './sandbox-program.js';
import { DEFAULT_SETTINGS } from '../run/sandbox-settings.js';

describe('flags of the sandbox', () => {
  it('default to its settings', () => {
    expect(settingsFrom({})).toEqual(DEFAULT_SETTINGS);
    expect(sandboxProgram.defaultPort).toBe(7071);
  });

  it('change its limits', () => {
    expect(settingsFrom({ 'cpu-ms': '100', 'memory-mb': '8', 'session-idle': '60', concurrency: '1' })).toMatchObject({
      concurrency: 1,
      sessionIdleMs: 60_000,
      limits: { cpuMs: 100, memoryBytes: 8 * 1024 * 1024 },
    });
  });

  it.each(['0', '-1', '1e3', 'many', '9999999999'])('refuse %s', (text) => {
    expect(() => settingsFrom({ 'cpu-ms': text })).toThrow('--cpu-ms must be a whole number');
  });
});

it('documents every error code and every flag', () => {
  const page = readFileSync(new URL('../../../../../docs/sandbox.md', import.meta.url), 'utf8');
  const missing = [
    ...Object.keys(SANDBOX_ERRORS),
    ...Object.keys(sandboxProgram.options ?? {}).map((name) => `--${name}`),
  ].filter((word) => !page.includes(`\`${word}`));
  expect(missing).toEqual([]);
});
