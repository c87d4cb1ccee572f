import { describe, expect, it } from 'vitest';
import { environmentSettings } from './environment-settings.js';
import { DEFAULT_GUARD, guardFile, guardSettings } from './guard-settings.js';
import { DEFAULT_OBSERVE, observeFile, observeSettings } from './observe-settings.js';

describe('guard settings', () => {
  it('have defaults, which the file changes and the environment after it', () => {
    expect(guardSettings(undefined, undefined)).toEqual(DEFAULT_GUARD);
    const file = guardFile.parse({ quarantine: 'off', maxResultBytes: 2048, limits: { caller: { perMinute: 60 } } });
    expect(guardSettings(file, undefined)).toEqual({
      ...DEFAULT_GUARD,
      quarantine: 'off',
      maxResultBytes: 2048,
      limits: { caller: { perMinute: 60 } },
    });
    const { quarantine } = environmentSettings({ PLUGBOARD_QUARANTINE: 'Breaking' });
    expect(guardSettings(file, quarantine).quarantine).toBe('breaking');
  });

  it('refuse what makes no sense', () => {
    expect(() => environmentSettings({ PLUGBOARD_QUARANTINE: 'sometimes' })).toThrow(/PLUGBOARD_QUARANTINE/u);
    expect(guardFile.safeParse({ maxArgumentBytes: 1 }).success).toBe(false);
    expect(guardFile.safeParse({ limits: { server: { concurrent: 0 } } }).success).toBe(false);
    expect(guardFile.safeParse({ limits: { agent: {} } }).success).toBe(false);
  });
});

describe('observe settings', () => {
  it('have defaults, which the file changes', () => {
    expect(observeSettings(undefined, {})).toEqual(DEFAULT_OBSERVE);
    const file = observeFile.parse({
      accessLog: false,
      slowMs: 50,
      auditCalls: false,
      auditArguments: true,
      auditResults: true,
      auditDays: 0,
    });
    expect(observeSettings(file, {})).toMatchObject({
      accessLog: false,
      slowMs: 50,
      auditCalls: false,
      auditArguments: true,
      auditResults: true,
      auditDays: 0,
    });
  });

  it.each([
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
    ['https://otel.example/base/', 'https://otel.example/base/v1/traces'],
  ])('send traces beside %s', (base, url) => {
    const environment = environmentSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: base,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key = a=b ,, broken, x=1',
    });
    expect(observeSettings(undefined, environment)).toMatchObject({
      tracesUrl: url,
      tracesHeaders: { 'api-key': 'a=b', x: '1' },
    });
  });
});
