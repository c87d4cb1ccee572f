import { type KeptAgent, revealed, Secret } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { variableOf, type VariableSources } from './config-variable.js';

const agent: KeptAgent = {
  id: 'agent-00000000-0000-4000-8000-000000000001',
  name: 'one',
  description: null,
  variables: { FIRST: Secret.of('agent'), EMPTY: Secret.of('') },
  server_ids: [],
  toolset_ids: [],
  allow_tool_ids: [],
  deny_tool_ids: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const config = { variables: { FIRST: Secret.of('server'), SECOND: Secret.of('server'), EMPTY: Secret.of('server') } };
const environment = { FIRST: 'hub', SECOND: 'hub', THIRD: 'hub', APP_KEY: 'hub', PLUGBOARD_MASTER_KEY: 'never' };

const valueOf = (name: string, sources?: VariableSources, templateEnvironment: 'all' | string[] = 'all') => {
  const value = variableOf({ environment, templateEnvironment }, sources)(name);
  return value === undefined ? undefined : revealed(value);
};

describe('a variable', () => {
  it.each([
    ['FIRST', 'agent'],
    ['SECOND', 'server'],
    ['THIRD', 'hub'],
    ['EMPTY', ''],
    ['NONE', undefined],
    ['constructor', undefined],
    ['PLUGBOARD_MASTER_KEY', undefined],
  ])('%s is taken from the first source that has it: %s', (name, expected) => {
    expect(valueOf(name, { agent, config })).toBe(expected);
  });

  it('of the hub is taken only when it may be named', () => {
    expect(valueOf('THIRD', {}, ['APP_*'])).toBeUndefined();
    expect(valueOf('APP_KEY', {}, ['APP_*'])).toBe('hub');
    expect(valueOf('SECOND', { config }, [])).toBe('server');
  });
});
