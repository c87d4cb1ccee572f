import { setImmediate } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { fakeProcess } from '../test-support/fake-process.js';
import type { LogFormat } from '../settings/settings.js';
import type { Logger } from './logger.js';
import { processLog } from './process-log.js';

const written = async (
  write: (log: Logger) => void,
  { columns, logFormat = 'auto' }: { columns?: number; logFormat?: LogFormat } = {},
): Promise<string> => {
  const rawStderr = new PassThrough();
  let text = '';
  rawStderr.on('data', (part: Buffer) => (text += String(part)));
  const process = { ...fakeProcess([], columns === undefined ? {} : { columns, env: { NO_COLOR: '1' } }), rawStderr };
  write(processLog({ logLevel: 'info', logFormat }, process));
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
