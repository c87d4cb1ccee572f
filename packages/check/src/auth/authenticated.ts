import { PlugboardError, type CheckAuth } from '@plugboard/contract';
import { Transcript } from '../connection/transcript.js';
import type { PlaceOptions } from '../locate/place.js';
import type { CheckTarget } from '../target/target.js';
import { tokenForClient } from './client-credentials.js';
import { launchProgram } from '../connection/child.js';
import { within } from '../connection/deadline.js';

type Address = Pick<CheckTarget, 'url' | 'headers' | 'env' | 'cwd' | 'auth'>;

interface TokenOptions extends Pick<PlaceOptions, 'baseEnv' | 'network'> {
  readonly ms: number;
  readonly signal: AbortSignal;
}

interface TokenCommandOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly ms: number;
  readonly signal: AbortSignal;
}

const MAX_TOKEN = 65_536;

/** What a program prints, without the line's end. What it says otherwise is not repeated: it may be secret. */
const tokenFromCommand = async ({ command, env, cwd, ms, signal }: TokenCommandOptions): Promise<string> => {
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

const tokenBy = async (auth: CheckAuth, target: Address, options: TokenOptions): Promise<string> => {
  const { ms, signal, network, baseEnv } = options;
  switch (auth.type) {
    case 'token':
      return auth.token;
    case 'command':
      return await tokenFromCommand({
        command: auth.command,
        env: { ...baseEnv, ...target.env },
        cwd: target.cwd,
        ms,
        signal,
      });
    case 'oauth':
      return await tokenForClient(auth, target.url ?? '', {
        transcript: new Transcript(),
        deadlineMs: ms,
        signal,
        network,
      });
    default:
      return auth satisfies never;
  }
};

/** The target with a token among its headers; whatever masks headers masks the token too. */
export const authenticated = async <T extends Address>(target: T, options: TokenOptions): Promise<T> => {
  const { auth, url } = target;
  if (auth === undefined) return target;
  if (url === undefined) {
    throw new PlugboardError('INVALID_ARGUMENT', 'auth is only for servers with a URL.', {
      hint: 'Pass secrets to a program with env.',
    });
  }
  const token = await tokenBy(auth, target, options);
  return { ...target, headers: { ...target.headers, Authorization: `Bearer ${token}` } };
};
