import { describe, expect, it } from 'vitest';
import { decided, decisionOf, variableProblem, withEntry, withVariable, withoutVariable } from './agent-draft.js';

const first = 'tool-1' as never;
const second = 'tool-2' as never;

describe('grants', () => {
  it('adds an entry once, and removes it', () => {
    expect(withEntry(['a', 'b'], 'a', true)).toEqual(['b', 'a']);
    expect(withEntry(['a', 'b'], 'a', false)).toEqual(['b']);
  });

  it('keeps a tool in one list at most', () => {
    const agent = { allow_tool_ids: [first], deny_tool_ids: [second] };
    expect(decided(agent, first, 'deny')).toEqual({ allow_tool_ids: [], deny_tool_ids: [second, first] });
    expect(decided(agent, second, 'allow')).toEqual({ allow_tool_ids: [first, second], deny_tool_ids: [] });
    expect(decided(agent, first, 'inherit')).toEqual({ allow_tool_ids: [], deny_tool_ids: [second] });
  });

  it('reads a decision as the hub applies it: a denial wins', () => {
    expect(decisionOf({ allow_tool_ids: [first], deny_tool_ids: [first] }, first)).toBe('deny');
    expect(decisionOf({ allow_tool_ids: [first], deny_tool_ids: [] }, first)).toBe('allow');
    expect(decisionOf({ allow_tool_ids: [first], deny_tool_ids: [] }, second)).toBe('inherit');
  });
});

describe('variables', () => {
  it('names the form of a name that the hub would refuse', () => {
    expect(variableProblem('api-key')).toContain('capital letters');
    expect(variableProblem('API_KEY2')).toBeUndefined();
  });

  it('sends masks of other variables back, so that they stay', () => {
    expect(withVariable({ variables: { A: '••••' } }, 'B', 'secret')).toEqual({
      variables: { A: '••••', B: 'secret' },
    });
    expect(withoutVariable({ variables: { A: '••••', B: '••••' } }, 'A')).toEqual({ variables: { B: '••••' } });
  });
});
