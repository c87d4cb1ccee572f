import { describe, expect, test } from 'vitest';
import { FaultScript } from './fault-script.js';

describe('the script', () => {
  test('survives the way to a process', () => {
    const script = new FaultScript();
    script.on('tools/call', { name: 'add' }).nth(2).afterHandler().hang();
    script.on('GET').first(3).respondStatus(500);
    const copy = new FaultScript(JSON.parse(JSON.stringify(script.rules)));
    expect(copy.rules).toEqual([
      { on: 'tools/call', name: 'add', from: 2, to: 2, fault: { afterHandler: true, hang: 'silent' } },
      { on: 'GET', from: 1, to: 3, fault: { status: 500 } },
    ]);
    expect(copy.take('tools/call', 'add')).toEqual({});
    expect(copy.take('tools/call', 'other')).toEqual({});
    expect(copy.take('tools/call', 'add')).toEqual({ afterHandler: true, hang: 'silent' });
    expect(copy.take('tools/call', 'add')).toEqual({});
  });

  test('rules that meet the same message combine', () => {
    const script = new FaultScript();
    script.on('*').always().delay(5);
    script.on('ping').first().respondStatus(500);
    expect(script.take('ping')).toEqual({ delayMs: 5, status: 500 });
    expect(script.take('ping')).toEqual({ delayMs: 5 });
    expect(script.take('connection')).toEqual({});
  });
});
