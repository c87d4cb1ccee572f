import { describe, expect, it } from 'vitest';
import { spawnError } from './spawn-error.js';

const failure = (code?: string) => Object.assign(new Error('spawn'), code === undefined ? {} : { code });
const spec = { command: '/opt/secret-place/server', args: ['--token', 'hidden'], env: {} };

describe('spawnError', () => {
  it.each([
    ['ENOENT', 'not found'],
    ['EACCES', 'not executable'],
    ['E2BIG', 'too large'],
    ['EAGAIN', 'no processes or descriptors left'],
    ['EMFILE', 'no processes or descriptors left'],
    ['ERR_INVALID_ARG_VALUE', 'NUL'],
    ['EIO', 'in a terminal'],
    [undefined, 'in a terminal'],
  ])('%s: the hint says %s', async (code, hint) => {
    const error = await spawnError(spec, failure(code));
    expect(error).toMatchObject({ code: 'PROCESS_NOT_STARTED' });
    expect(error.hint).toContain(hint);
  });

  it('looks at the working directory before it blames the command', async () => {
    expect((await spawnError({ ...spec, cwd: '/no/such/place' }, failure('ENOENT'))).hint).toContain(
      'working directory',
    );
    expect((await spawnError({ ...spec, cwd: '/' }, failure('ENOENT'))).hint).toContain('not found');
  });

  it('shows neither a path nor an argument', async () => {
    const shown = JSON.stringify(await spawnError(spec, failure('ENOENT')));
    expect(shown).toContain('server');
    expect(shown).not.toMatch(/secret-place|hidden/u);
  });
});
