import { describe, expect, it } from 'vitest';
import { argumentsOf, barOf, phaseBars, resultOf, toolOf } from './recorded-call.js';

describe('the arguments of a recorded call', () => {
  it('are kinds where the hub keeps no values', () => {
    expect(argumentsOf({ details: { arguments: { a: 'number', b: 'text of 3 characters' } } })).toEqual({
      kept: false,
      kinds: { a: 'number', b: 'text of 3 characters' },
    });
  });

  it('are values where it does, and nothing where there were none', () => {
    expect(argumentsOf({ details: { arguments: { a: 2, b: 'Oslo' } } })).toEqual({
      kept: true,
      args: { a: 2, b: 'Oslo' },
    });
    expect(argumentsOf({ details: { arguments: {} } })).toEqual({ kept: true, args: {} });
    expect(argumentsOf({ details: {} })).toEqual({ kept: true, args: {} });
  });
});

it('names the tool of a call, also one with a slash in its name', () => {
  expect(toolOf({ action: 'tools/call', target: 'weather/a/b' })).toEqual({ server: 'weather', tool: 'a/b' });
  expect(toolOf({ action: 'tools/call', target: 'all' })).toBeUndefined();
  expect(toolOf({ action: 'createServer', target: 'a/b' })).toBeUndefined();
});

describe('the bar of a call', () => {
  const window = { from: 1000, to: 2000 };
  const at = (ms: number): string => new Date(ms).toISOString();

  it('begins where the call began and ends where it ended', () => {
    expect(barOf({ at: at(1500), duration_ms: 250 }, window)).toEqual({ start: 0.25, width: 0.25 });
  });

  it('stays inside the window, and stays visible', () => {
    expect(barOf({ at: at(1100), duration_ms: 9000 }, window)).toEqual({ start: 0, width: 0.1 });
    expect(barOf({ at: at(2000), duration_ms: 0 }, window)).toEqual({ start: 0.996, width: 0.004 });
    expect(barOf({ at: at(900), duration_ms: 10 }, window)).toBeUndefined();
    expect(barOf({ at: 'rubbish', duration_ms: 10 }, window)).toBeUndefined();
  });
});

it('the result of a call is known where the hub keeps it', () => {
  expect(resultOf({ details: {} })).toBeUndefined();
  expect(resultOf({ details: { result: { cut: true, value: { content: [] } } } })).toEqual({
    cut: true,
    value: { content: [] },
  });
});

describe('the phases of a call', () => {
  it('follow each other, and fill the width', () => {
    const bars = phaseBars({ details: { phases_ms: { server: 6, prepare: 1, connect: 1, other: 5 } } });
    expect(bars.map(({ phase, ms, start, width }) => [phase, ms, start, width])).toEqual([
      ['prepare', 1, 0, 0.125],
      ['connect', 1, 0.125, 0.125],
      ['server', 6, 0.25, 0.75],
    ]);
  });

  it('are unknown on the fast path, and in what somebody else wrote', () => {
    expect(phaseBars({ details: {} })).toEqual([]);
    expect(phaseBars({ details: { phases_ms: { server: 'x', relay: -1 } } })).toEqual([]);
  });
});
