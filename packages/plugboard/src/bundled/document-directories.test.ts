import { describe, expect, it } from 'vitest';
import { documentFlags } from './document-directories.js';

const settings = (home: string, configFile?: string, key = `${home}/master.key`) => ({
  home,
  configFile,
  masterKey: { from: 'file', path: key, create: true } as const,
});
const at = (cwd: string) => ({ cwd, userHome: '/home/ada' });
const own = ['--allow-dir', '/home/ada/.plugboard/documents'];

describe('what the bundled documents server may read', () => {
  it('is its own directory and the one the hub was started in', () => {
    expect(documentFlags(settings('/home/ada/.plugboard'), at('/home/ada/project'))).toEqual([
      ...own,
      '--allow-dir',
      '/home/ada/project',
    ]);
  });

  it.each(['/', '/home', '/home/ada', '/home/ada/.plugboard', '/home/ada/.plugboard/documents'])(
    'is its own directory alone when the hub was started in %s',
    (cwd) => expect(documentFlags(settings('/home/ada/.plugboard'), at(cwd))).toEqual(own),
  );

  it('is never a home, a configuration file or a key below the start directory', () => {
    expect(
      documentFlags(settings('/srv/hub/state', '/srv/hub/hub.json', '/srv/hub/keys/k.txt'), at('/srv/hub')),
    ).toEqual([
      '--allow-dir',
      '/srv/hub/state/documents',
      '--allow-dir',
      '/srv/hub',
      '--deny-path',
      '/srv/hub/state',
      '--deny-path',
      '/srv/hub/hub.json',
      '--deny-path',
      '/srv/hub/keys/k.txt',
    ]);
  });
});
