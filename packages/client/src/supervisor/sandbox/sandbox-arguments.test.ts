import { describe, expect, it } from 'vitest';
import { bwrapArguments } from './bwrap.js';
import type { SandboxPlan } from './sandbox-plan.js';
import { unshareArguments } from './unshare.js';

const plan: SandboxPlan = {
  mounts: [
    { kind: 'bind', source: '/usr', target: '/usr', writable: false },
    { kind: 'link', to: 'usr/bin', target: '/bin' },
    { kind: 'empty', target: '/tmp', writable: true },
    { kind: 'bind', source: '/data', target: '/data', writable: true },
    { kind: 'empty', target: '/data/hub', writable: false },
    { kind: 'blank', target: '/data/plugboard.json' },
    { kind: 'directory', target: '/srv/here' },
  ],
  network: false,
  cwd: '/srv/here',
  program: '/usr/bin/node',
  args: ['server.js', '--', '-x'],
};

describe('a plan as arguments', () => {
  it('of bubblewrap', () => {
    const words = bwrapArguments(plan).join(' ');
    expect(words).toMatch(
      /^--unshare-all --unshare-user --cap-drop ALL --proc \/proc --dev \/dev --ro-bind-try \/proc\/bus/u,
    );
    expect(words).toContain('--ro-bind /usr /usr --symlink usr/bin /bin --tmpfs /tmp --bind /data /data');
    expect(words).toContain('--tmpfs /data/hub --ro-bind /dev/null /data/plugboard.json --dir /srv/here');
    expect(words).toMatch(
      /--remount-ro \/data\/hub --remount-ro \/ --chdir \/srv\/here -- \/usr\/bin\/node server\.js -- -x$/u,
    );
    expect(words).not.toContain('--remount-ro /tmp');
  });

  it('of unshare', () => {
    const words = unshareArguments(plan, '/root-of-view');
    const [options, rest] = [words.slice(0, words.indexOf('--')), words.slice(words.indexOf('--') + 1)];
    expect(options).toEqual(expect.arrayContaining(['--user', '--mount', '--pid', '--net', '--ipc', '--kill-child']));
    expect(rest.slice(0, 2)).toEqual(['/bin/sh', '-c']);
    expect(rest.slice(3, 6)).toEqual(['sandbox', '/root-of-view', '/srv/here']);
    expect(rest.slice(6)).toEqual([
      'ro',
      '/usr',
      '/usr',
      'link',
      'usr/bin',
      '/bin',
      'empty',
      '0700',
      '/tmp',
      'rw',
      '/data',
      '/data',
      'empty',
      '0755',
      '/data/hub',
      'blank',
      '',
      '/data/plugboard.json',
      'dir',
      '',
      '/srv/here',
      '--',
      '/data/hub',
      '--',
      '/usr/bin/node',
      'server.js',
      '--',
      '-x',
    ]);
  });

  it('with the network of the machine only where it is granted', () => {
    const open = { ...plan, network: true };
    expect(bwrapArguments(plan)).not.toContain('--share-net');
    expect(bwrapArguments(open)).toContain('--share-net');
    expect(unshareArguments(open, '/r')).not.toContain('--net');
  });
});
