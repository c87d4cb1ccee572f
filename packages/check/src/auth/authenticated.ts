import { PlugboardError, type CheckAuth } from '@plugboard/contract';
import { Transcript } from '../connection/transcript.js';
import type { PlaceOptions } from '../locate/place.js';
import type { CheckTarget } from '../target/target.js';
import { tokenForClient } from './client-credentials.js';
import { tokenFromCommand } from './token-command.js';

type Address = Pick<CheckTarget, 'url' | 'headers' | 'env' | 'cwd' | 'auth'>;

interface TokenOptions extends Pick<PlaceOptions, 'baseEnv' | 'network'> {
  readonly ms: number;
  readonly signal: AbortSignal;
}

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
    throw new PlugboardError('INVALID_ARGUMENT', 'A program is not shown a token: auth is for servers behind a URL.', {
      hint: 'Give a program its secrets as env.',
    });
  }
  const token = await tokenBy(auth, target, options);
  return { ...target, headers: { ...target.headers, Authorization: `Bearer ${token}` } };
};
