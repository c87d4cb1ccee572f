import { runServer } from './run-server.js';
import type { ProgramProcess } from './command-line/program-process.js';
import type { ServerProgram } from './command-line/server-program.js';

export type NodeProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'cwd' | 'stdin' | 'stdout' | 'stderr' | 'once' | 'exit'
>;

/** Runs a server in the process it is given: ends on SIGTERM and SIGINT, and leaves with its exit code. */
export const asProgram = async (program: ServerProgram, node: NodeProcess): Promise<void> => {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) node.once(name, () => stop.abort());
  const { env, stdin, stdout, stderr } = node;
  const process: ProgramProcess = {
    argv: node.argv.slice(2),
    env,
    cwd: node.cwd(),
    stdin,
    stdout,
    stderr,
    signal: stop.signal,
  };
  const code = await runServer(program, process);
  // What was written reaches the pipe before the process is gone.
  await new Promise<void>((resolve) => stdout.write('', () => resolve()));
  node.exit(code);
};
