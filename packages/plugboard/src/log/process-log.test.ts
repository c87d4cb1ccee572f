import { setImmediate } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { fakeProcess } from '../test-support/fake-process.js';
import type { LogFormat, LogLevel } from '../settings/log-level.js';
import type { Logger } from './logger.js';
import { processLog } from './process-log.js';

const written = async (
  write: (log: Logger) => void,
  {
    columns,
    logFormat = 'auto',
    logLevel = 'info',
  }: { columns?: number; logFormat?: LogFormat; logLevel?: LogLevel } = {},
): Promise<string> => {
  const rawStderr = new PassThrough();
  let text = '';
  rawStderr.on('data', (part: Buffer) => (text += String(part)));
  const process = { ...fakeProcess([], columns === undefined ? {} : { columns, env: { NO_COLOR: '1' } }), rawStderr };
  write(processLog({ logLevel, logFormat }, process));
  await setImmediate();
  return text;
};

const answered = (log: Logger): void =>
  log.written?.(
    'A request was answered.',
    '"method":"tools/call","endpoint":"/mcp","server":"files","tool":"read","outcome":"ok","duration_ms":12.3,"caller":"local","era":"legacy"',
  );

describe('the log of the process', () => {
  it('is JSON in a pipe and readable in a terminal', async () => {
    expect(JSON.parse(await written(answered))).toMatchObject({ tool: 'read' });
    expect(await written(answered, { columns: 80 })).toMatch(
      /^\d\d:\d\d:\d\d info  tools\/call {2}files {2}read {2}ok {2}12\.3 ms {2}local at \/mcp\n$/u,
    );
  });

  it('has the format that was asked for', async () => {
    expect(JSON.parse(await written(answered, { columns: 80, logFormat: 'json' }))).toMatchObject({ tool: 'read' });
    expect(await written(answered, { logFormat: 'readable' })).toContain('tools/call');
  });

  it('shows how a request was answered, and each message, in one line', async () => {
    const text = await written(
      (log) => {
        log.debug?.('A request was answered.', {
          method: 'tools/call',
          server: 'files',
          tool: 'read',
          outcome: 'ok',
          duration_ms: 1.5,
          caller: 'local',
          endpoint: 'all',
          era: 'modern',
          path: 'bridge',
          id: 7,
          upstream_id: 41,
          upstream_era: 'legacy',
          transport: 'stdio',
          decisions: ['shared connection'],
          call_id: 'a-1',
        });
        log.trace?.('A message was sent.', {
          direction: 'sent',
          peer: 'server',
          server: 'files',
          transport: 'stdio',
          kind: 'request',
          id: 41,
          method: 'tools/call',
          bytes: 90,
          body: { name: 'read' },
          call_id: 'a-1',
        });
        log.debug?.('Session opened.', { server: 'files', revision: '2025-11-25' });
      },
      { columns: 80, logLevel: 'trace' },
    );
    expect(text.split('\n').map((line) => line.slice(9))).toEqual([
      'debug tools/call  files  read  ok  1.5 ms  local at all  bridge · #7→#41 · modern→legacy stdio · shared connection · call a-1',
      'trace → files  request tools/call #41  {"name":"read"}  90 B stdio · call a-1',
      'debug files  Session opened.  revision=2025-11-25',
      '',
    ]);
  });

  it('is empty below its level, and asks for nothing', async () => {
    const text = await written((log) => {
      expect(log.isEnabled?.('debug')).toBe(false);
      log.debug?.('Not this.');
      log.setLevel?.('debug');
      expect([log.isEnabled?.('debug'), log.isEnabled?.('trace')]).toEqual([true, false]);
      log.debug?.('But this.');
    });
    expect(text).toContain('But this.');
    expect(text).not.toContain('Not this.');
  });

  it('says every event in one line that cannot act on the terminal', async () => {
    const text = await written(
      (log) =>
        log.warn('It failed.\u001B[2J', { server: 'a\nb', err: new PlugboardError('UPSTREAM_TIMEOUT', 'Too\nslow.') }),
      { columns: 80 },
    );
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toContain('warn  It failed.\\u{001B}[2J  server=“a b” err=“Too slow. (UPSTREAM_TIMEOUT)”');
  });
});
