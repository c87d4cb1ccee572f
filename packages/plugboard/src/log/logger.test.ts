import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { keepConfig, PlugboardError, Secret } from '@plugboard/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.js';

const logged = async (write: (log: ReturnType<typeof createLogger>) => void): Promise<string> => {
  const lines = new PassThrough();
  let text = '';
  lines.on('data', (part: Buffer) => (text += String(part)));
  write(createLogger({ level: 'trace', destination: lines }));
  // Lines of one turn are written together.
  await setImmediate();
  return text;
};

describe('the log', () => {
  it('shows no secret, wherever in its fields one stands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.base64String({ minLength: 16, maxLength: 48 }), async (value) => {
        const secret = Secret.of(value);
        const config = keepConfig({ mcp_server_type: 'stdio', command: 'x', args: [], env: { KEY: value } });
        const err = new PlugboardError('INTERNAL', 'It failed.', { details: { secret }, cause: { secret } });
        const text = await logged((log) => {
          log.info('one', { secret, deep: [{ secret, config }] });
          log.warn(`two ${String(secret)}`, { server: { settings: config } });
          log.error('three', { err, cause: new Error('inner', { cause: secret }) });
        });
        expect(text.split('\n')).toHaveLength(4);
        expect(text).not.toContain(value);
      }),
      { numRuns: 50 },
    );
  });

  it('leaves out members that hold secrets by their name', async () => {
    const text = await logged((log) =>
      log.info('one', { auth_token: 'abc', a: { custom_headers: { x: 'def' } }, b: 'seen' }),
    );
    expect(text).toContain('seen');
    expect(text).not.toMatch(/abc|def/u);
  });
});
