import { PlugboardError } from '@plugboard/contract';
import { launchProgram } from '../connection/child.js';
import { within } from '../connection/deadline.js';

export interface TokenCommandOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly ms: number;
  readonly signal: AbortSignal;
}

const MAX_TOKEN = 65_536;

/** What a program prints, without the line's end. What it says otherwise is not repeated: it may be secret. */
export const tokenFromCommand = async ({ command, env, cwd, ms, signal }: TokenCommandOptions): Promise<string> => {
  const [program = '', ...args] = command;
  const child = launchProgram({ command: program, args, env, cwd });
  const failure = (why: string): PlugboardError =>
    new PlugboardError('UPSTREAM_AUTH', `The program of auth.command ${why}.`, {
      hint: 'It must print an access token and exit with code 0.',
    });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (printed.length < MAX_TOKEN) printed += chunk.toString('utf8');
  });
  child.stderr?.resume();
  child.stdin.end();
  const ended = new Promise<void>((resolve) => child.stdout.once('close', () => resolve()));
  try {
    const { code, error } = await within(child.exited, { ms, what: 'token from auth.command', signal });
    if (error !== undefined) throw failure('cannot be started');
    if (code !== 0) throw failure(`ended with ${String(code)}`);
    await within(ended, { ms, what: 'end of the output of auth.command', signal });
  } finally {
    child.kill('SIGKILL');
  }
  const token = printed.trim();
  if (token === '' || /\s/u.test(token)) throw failure('printed no token');
  return token;
};
