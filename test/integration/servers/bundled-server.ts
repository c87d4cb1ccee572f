import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const serverProgram = (name: string): string =>
  fileURLToPath(new URL(`../../../packages/servers/bin/plugboard-${name}.mjs`, import.meta.url));

export interface BundledServer {
  readonly url: string;
  readonly pid: number;
  /** Asks it to end, and resolves to its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts a bundled server over HTTP on a free port, as a user would. */
export const startServer = async (name: string, args: readonly string[], cwd: string): Promise<BundledServer> => {
  const child = spawn(process.execPath, [serverProgram(name), '--transport', 'http', '--port', '0', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /listening on (http:\S+)/u.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it listened.`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    end: async () => {
      if (child.exitCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
};
