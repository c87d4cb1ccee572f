import { PlugboardError } from '@plugboard/contract';
import { readHubFile } from './hub-file.js';
import type { ProcessContext } from '../../process/process-context.js';
import type { Settings } from '../../settings/settings.js';
import { fetchHubApi } from '../fetch-hub-api.js';
import type { HubApi } from '../hub-api.js';
import { findRunningHub } from './running-hub.js';

/** The composed hub, as far as commands use it. */
export interface LocalHub {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface OpenHubOptions {
  readonly process: ProcessContext;
  /** --hub; PLUGBOARD_HUB_URL stands in for it. */
  readonly url: string | undefined;
  readonly settings: () => Promise<Settings>;
  /** Composes the hub in this process, without a socket. */
  readonly compose: (settings: Settings) => Promise<LocalHub>;
}

const parseUrl = (text: string): string => {
  if (URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol)) return text.replace(/\/+$/u, '');
  throw new PlugboardError('INVALID_ARGUMENT', `"${text}" is not the URL of a hub.`, {
    hint: 'Give it as http://127.0.0.1:2091.',
  });
};

/** The key of the hub of this home, when that is the one that was named. Others are given no key of ours. */
const keyFor = async (place: string, settings: OpenHubOptions['settings']): Promise<string | undefined> => {
  const note = await settings().then(
    ({ home }) => readHubFile(home),
    () => undefined,
  );
  return note !== undefined && new URL(note.url).origin === new URL(place).origin ? note.key : undefined;
};

const sendOverSocket = (request: Request): Promise<Response> => fetch(request);

/** The hub that was named, or the one that runs on this home, or else one composed here on the same store. */
export const openHub = async ({ process, url, settings, compose }: OpenHubOptions): Promise<HubApi> => {
  const { signal, env, isAlive } = process;
  const remote = (place: string, localKey?: string): HubApi =>
    fetchHubApi({
      place: { kind: 'running', url: place },
      fetch: sendOverSocket,
      apiKey: env['PLUGBOARD_API_KEY'] ?? localKey,
      signal,
    });
  const named = url ?? env['PLUGBOARD_HUB_URL'];
  if (named !== undefined && named !== '') {
    const place = parseUrl(named);
    return remote(place, await keyFor(place, settings));
  }
  const resolved = await settings();
  const running = await findRunningHub(resolved.home, { fetch: sendOverSocket, isAlive, signal });
  if (running.state === 'answers') return remote(running.url, running.key);
  if (running.state === 'silent') {
    throw new PlugboardError(
      'HUB_UNREACHABLE',
      `A hub runs as process ${running.pid}, but does not answer at ${running.url}.`,
      {
        hint: 'It may still be starting or stopping: try again. If it hangs, stop that process and run `plugboard serve`.',
      },
    );
  }
  const hub = await compose(resolved);
  return fetchHubApi({
    place: { kind: 'in-process' },
    fetch: (request) => hub.fetch(request),
    signal,
    close: () => hub.close(),
  });
};
