import { describe, expect, test } from 'vitest';
import { CallLedger } from './ledger.js';

const ledgerOf = (tier = 'standard', resources: readonly string[] = []) => new CallLedger({ tier, resources });
const LIMITED = { may: true, free: false, why: 'harmless', arguments: [{}] } as const;

const line = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const posted = (body: string): string => `POST /mcp HTTP/1.1\naccept: application/json\n\n${body}`;

describe('the ledger', () => {
  test.each([
    ['tool', 'tools/call'],
    ['prompt', 'prompts/get'],
  ])('lets a %s be called six times, and four times more to confirm a failure', (kind, method) => {
    const ledger = ledgerOf();
    ledger.decided(kind, 'read', LIMITED);
    const call = (): void => ledger.sent(posted(line(method, { name: 'read' })));
    for (let count = 0; count < 6; count += 1) call();
    expect(call).toThrow('was called 6 times already');
    ledger.allowMore();
    for (let count = 0; count < 4; count += 1) call();
    expect(call).toThrow('was called 10 times already');
    expect(ledger.count(kind, 'read')).toBe(10);
  });

  test('counts the rounds of a tool that asks for something, and the calls inside a batch', () => {
    const ledger = ledgerOf();
    ledger.decided('tool', 'ask', LIMITED);
    ledger.sent(line('tools/call', { name: 'ask', arguments: {} }));
    ledger.sent(line('tools/call', { name: 'ask', arguments: {}, inputResponses: { a: { action: 'accept' } } }));
    ledger.sent(`[${line('tools/call', { name: 'ask' })},${line('tools/call', { name: 'ask' })}]`);
    expect(ledger.count('tool', 'ask')).toBe(4);
  });

  test('refuses what may not be called at all, and lets through what is allowed or unknown', () => {
    const ledger = ledgerOf();
    ledger.decided('prompt', 'shell', { may: false, why: 'no value for the required argument "line"' });
    ledger.decided('tool', 'free', { ...LIMITED, free: true });
    expect(() => ledger.sent(line('prompts/get', { name: 'shell' }))).toThrow('may not be called: no value');
    for (let count = 0; count < 20; count += 1) ledger.sent(line('tools/call', { name: 'free' }));
    ledger.sent(line('tools/call', { name: 'no-such-tool-here' }));
    expect(ledger.count('tool', 'free')).toBe(20);
    expect(ledger.count('prompt', 'shell')).toBe(0);
  });

  test('refuses to read what a template could serve, unless it is listed, named or the run is intrusive', () => {
    const listed = (ledger: CallLedger): CallLedger => {
      ledger.listed('resources/list', [{ uri: 'run://listed' }]);
      ledger.listed('resources/templates/list', [{ uriTemplate: 'run://{line}' }]);
      return ledger;
    };
    const read = (ledger: CallLedger, uri: string) => () => ledger.sent(line('resources/read', { uri }));
    const standard = listed(ledgerOf('standard', ['run://named']));
    expect(read(standard, 'run://rm')).toThrow('A resource template may serve run://rm');
    expect(read(standard, 'run://listed')).not.toThrow();
    expect(read(standard, 'run://named')).not.toThrow();
    expect(read(standard, 'other://rm')).not.toThrow();
    expect(read(listed(ledgerOf('intrusive')), 'run://rm')).not.toThrow();
  });
});
