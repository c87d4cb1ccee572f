import type { ToolsetEntry } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { hiding, renamed, withoutTool, withTool } from './toolset-draft.js';

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

  it('hide arguments', () => {
    const changed = hiding([entry('a')], entry('a'), 'token, , region');
    expect(changed).toEqual([{ ...entry('a'), hidden_arguments: ['token', 'region'] }]);
    expect(hiding(changed, entry('a'), '')).toEqual([entry('a')]);
  });
});
