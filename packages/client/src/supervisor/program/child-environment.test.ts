import { describe, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.js';

describe('the environment of a child', () => {
  const inherited = {
    PATH: '/bin',
    LC_ALL: 'C',
    HOME: undefined,
    SHELL: '() { :; }',
    AWS_SECRET_ACCESS_KEY: 'secret',
    PLUGBOARD_MASTER_KEY: 'secret',
  };

  it('passes on what is allowed and nothing else', () => {
    expect(childEnvironment({ inherited })).toEqual({ PATH: '/bin', LC_ALL: 'C' });
  });

  it('lets what was configured win', () => {
    expect(childEnvironment({ inherited, configured: { PATH: '/opt', TOKEN: 't' } })).toEqual({
      PATH: '/opt',
      LC_ALL: 'C',
      TOKEN: 't',
    });
  });

  it('takes another list', () => {
    expect(childEnvironment({ inherited, allow: ['AWS_*'], configured: null })).toEqual({
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
  });
});
