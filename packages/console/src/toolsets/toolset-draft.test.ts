import type { ToolsetEntry } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import {
  argumentUse,
  hiddenCount,
  renamed,
  typedValue,
  valueText,
  withArgument,
  withoutTool,
  withTool,
} from './toolset-draft.js';

const entry = (upstream_name: string): ToolsetEntry => ({ server_id: 'mcp_server-1', upstream_name });

describe('the entries of a toolset', () => {
  it('are added once and removed', () => {
    const one = withTool([], entry('a'));
    expect(withTool(one, entry('a'))).toBe(one);
    expect(withoutTool(withTool(one, entry('b')), entry('a'))).toEqual([entry('b')]);
  });

  it('get a name of their own, or none', () => {
    const entries = [entry('a'), entry('b')];
    const changed = renamed(entries, entry('a'), ' sum ');
    expect(changed).toEqual([{ ...entry('a'), name: 'sum' }, entry('b')]);
    expect(renamed(changed, entry('a'), ' ')).toEqual(entries);
  });

  it('hide arguments, give them a value, and leave them to the model again', () => {
    const hidden = withArgument([entry('a'), entry('b')], entry('a'), 'token', { use: 'hidden' });
    expect(hidden).toEqual([{ ...entry('a'), hidden_arguments: ['token'] }, entry('b')]);
    const preset = withArgument(hidden, entry('a'), 'token', { use: 'preset', value: 7 });
    expect(preset).toEqual([{ ...entry('a'), preset_arguments: { token: 7 } }, entry('b')]);
    expect(withArgument(preset, entry('a'), 'token', { use: 'model' })).toEqual([entry('a'), entry('b')]);
  });

  it('say what becomes of an argument', () => {
    const one = { ...entry('a'), hidden_arguments: ['token'], preset_arguments: { city: 'Oslo' } };
    expect(['token', 'city', 'days', 'toString'].map((name) => argumentUse(one, name))).toEqual([
      { use: 'hidden' },
      { use: 'preset', value: 'Oslo' },
      { use: 'model' },
      { use: 'model' },
    ]);
    expect([hiddenCount(one), hiddenCount(entry('a'))]).toEqual([2, 0]);
  });
});

describe('a value that is typed', () => {
  it.each([
    ['Oslo', 'Oslo'],
    ['7', 7],
    ['"7"', '7'],
    ['{"a":[true]}', { a: [true] }],
    ['', ''],
  ])('%s', (text, value) => {
    expect(typedValue(text)).toEqual(value);
    expect(typedValue(valueText(value))).toEqual(value);
  });
});
