import type { SandboxMount, SandboxPlan } from './sandbox-plan.js';

const mountArguments = (mount: SandboxMount): readonly string[] => {
  switch (mount.kind) {
    case 'bind':
      return [mount.writable ? '--bind' : '--ro-bind', mount.source, mount.target];
    case 'link':
      return ['--symlink', mount.to, mount.target];
    case 'empty':
      return ['--tmpfs', mount.target];
    case 'blank':
      return ['--ro-bind', '/dev/null', mount.target];
    case 'directory':
      return ['--dir', mount.target];
    default:
      return mount satisfies never;
  }
};

/** Files of root, which a program that root started could change although it has no capability left. */
const SETTINGS_OF_KERNEL = ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`);

/** The arguments of bubblewrap. Values of variables are not among them: other users can read arguments. */
export const bwrapArguments = ({ mounts, network, cwd, program, args }: SandboxPlan): readonly string[] => {
  const emptied = mounts.flatMap((mount) => (mount.kind === 'empty' && !mount.writable ? [mount.target] : []));
  return [
    '--unshare-all',
    '--unshare-user',
    '--cap-drop',
    'ALL',
    ...(network ? ['--share-net'] : []),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...SETTINGS_OF_KERNEL.flatMap((path) => ['--ro-bind-try', path, path]),
    ...mounts.flatMap(mountArguments),
    // Last: mounts within them need a place to stand on.
    ...[...emptied, '/'].flatMap((target) => ['--remount-ro', target]),
    '--chdir',
    cwd,
    '--',
    program,
    ...args,
  ];
};
