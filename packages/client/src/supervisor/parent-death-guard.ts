import { spawn, type ChildProcess } from 'node:child_process';

/** Ends the protected process groups when this process is gone, whatever ended it. */
export interface ParentDeathGuard {
  protect(groupId: number): void;
  release(groupId: number): void;
  /** Lets go of everything; groups that are still protected are ended. */
  dispose(): void;
}

/**
 * The guard is a shell that reads from a pipe which only we hold open: the kernel closes it when we die, also on
 * SIGKILL, and then the guard ends the groups it knows of, first with SIGTERM, two seconds later with SIGKILL.
 */
const script = `
trap '' HUP INT TERM
groups=' '
while read -r sign id; do
  rest=' '
  for group in $groups; do
    [ "$group" = "$id" ] || rest="$rest$group "
  done
  groups=$rest
  [ "$sign" = + ] && groups="$groups$id "
done
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
tries=0
while [ $tries -lt 20 ]; do
  rest=' '
  for group in $groups; do
    kill -s 0 -- "-$group" 2>/dev/null && rest="$rest$group "
  done
  groups=$rest
  [ "$groups" = ' ' ] && exit 0
  sleep 0.1
  tries=$((tries + 1))
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

/** Starts its shell with the first group, in a session of its own, and does not keep this process alive. */
export const createParentDeathGuard = (startShell: typeof spawn = spawn): ParentDeathGuard => {
  const groups = new Set<number>();
  let shell: ChildProcess | undefined;
  let disposed = false;

  const tell = (line: string): void => {
    if (shell?.stdin?.writable === true) shell.stdin.write(line);
  };

  const start = (): void => {
    const started = startShell('/bin/sh', ['-c', script], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
      detached: true,
    });
    shell = started;
    const lost = (): void => {
      if (shell !== started) return;
      shell = undefined;
    };
    started.once('error', lost);
    started.once('exit', () => {
      lost();
      // The guard was killed: start another one for the groups.
      if (!disposed && groups.size > 0) start();
    });
    // EPIPE says no more than the exit does.
    started.stdin.on('error', lost);
    started.unref();
    (started.stdin as unknown as { unref?: () => void }).unref?.();
    for (const group of groups) tell(`+ ${group}\n`);
  };

  return {
    protect(groupId) {
      if (process.platform === 'win32' || disposed) return;
      groups.add(groupId);
      if (shell === undefined) start();
      else tell(`+ ${groupId}\n`);
    },
    release(groupId) {
      if (groups.delete(groupId)) tell(`- ${groupId}\n`);
    },
    dispose() {
      disposed = true;
      groups.clear();
      shell?.stdin?.end();
      shell = undefined;
    },
  };
};
