import { describe, expect, it } from 'vitest';
import type { Logger } from './logger.js';
import { FlowLog } from './flow-log.js';

const logOf = (level: 'info' | 'debug' | 'trace') => {
  const written: (readonly [string, Readonly<Record<string, unknown>> | undefined])[] = [];
  const write = (message: string, fields?: Readonly<Record<string, unknown>>): void =>
    void written.push([message, fields]);
  const order = ['trace', 'debug', 'info'];
  const log: Logger = {
    info: write,
    warn: write,
    error: write,
    debug: write,
    trace: write,
    isEnabled: (asked) => order.indexOf(asked) >= order.indexOf(level),
  };
  return { flows: new FlowLog(log), written };
};

describe('the log of flows', () => {
  it('follows calls at debug, and messages at trace', () => {
    const follows = (level: 'info' | 'debug' | 'trace') => {
      const { flows } = logOf(level);
      return [flows.followsCalls, flows.followsMessages];
    };
    expect(follows('info')).toEqual([false, false]);
    expect(follows('debug')).toEqual([true, false]);
    expect(follows('trace')).toEqual([true, true]);
  });

  it('gives every call an id of its own', () => {
    const { flows } = logOf('debug');
    const ids = [flows.newCallId(), flows.newCallId()];
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]?.slice(0, 6)).toBe(ids[1]?.slice(0, 6));
  });

  it('writes a message with its redacted and bounded body', () => {
    const { flows, written } = logOf('trace');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: { key: 'secret' } } };
    const message = JSON.stringify(call);
    const seen = { transport: 'stdio', endpoint: '/mcp', callId: 'c-1', message } as const;
    flows.see({ ...seen, direction: 'sent', server: 'files', redact: (text) => text.replaceAll('secret', '••••') });
    flows.see({
      ...seen,
      direction: 'received',
      message: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'y'.repeat(3000) } }),
    });
    const [sent, received] = written;
    expect(sent?.[0]).toBe('A message was sent.');
    expect(sent?.[1]).toMatchObject({ peer: 'server', server: 'files', method: 'tools/call', call_id: 'c-1' });
    expect(JSON.stringify(sent)).not.toContain('secret');
    expect(received?.[1]).toMatchObject({ peer: 'client', kind: 'result' });
    expect(String(received?.[1]?.['body']).length).toBeLessThan(1600);
    flows.note('Decided.', { by: 'test' });
    expect(written.at(-1)).toEqual(['Decided.', { by: 'test' }]);
  });
});
