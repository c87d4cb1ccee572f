import { PlugboardError } from '@plugboard/contract';
import { openHttpExchange } from '../connection/http-exchange.js';
import { launchProgram, type Launch } from '../connection/child.js';
import type { Network } from '../connection/network.js';
import type { Link, Place } from '../session/link.js';
import { BASE_HEADERS, mirroredHeaders } from '../session/http-headers.js';
import { enveloped, requestMessage } from '../session/envelope.js';
import { httpSettings } from '../session/sse-channel.js';
import { LATEST } from '../session/revision.js';
import type { CheckTarget } from '../target/target.js';

export interface PlaceOptions {
  /** How programs are started; tests put their own here. */
  readonly launch?: Launch | undefined;
  /** What a program gets besides the target's own variables: PATH and the like. */
  readonly baseEnv?: Readonly<Record<string, string>> | undefined;
  /** Any address when left out. */
  readonly network?: Network | undefined;
}

const programPlace = (target: CheckTarget, options: PlaceOptions): Place | undefined => {
  const [command, ...args] = target.command ?? [];
  if (command === undefined) return undefined;
  const env = { ...options.baseEnv, ...target.env };
  return {
    transport: 'stdio',
    launch: options.launch ?? launchProgram,
    program: { command, args, env, cwd: target.cwd },
    variables: Object.keys(target.env),
  };
};

/** The first guess; `confirmPlace` finds out whether a URL speaks HTTP+SSE. */
export const placeOf = (target: CheckTarget, options: PlaceOptions = {}): Place => {
  const program = programPlace(target, options);
  if (program !== undefined) return program;
  if (target.url === undefined) {
    throw new PlugboardError('INVALID_ARGUMENT', 'The target has neither a url nor a command.', {
      hint: 'Give the URL of a server, or the command that starts one.',
    });
  }
  const transport = target.transport === 'sse' ? 'sse' : 'streamable-http';
  return { transport, url: target.url, headers: target.headers };
};

/** Streamable HTTP answers a POST; HTTP+SSE refuses it and opens a stream that names an endpoint. */
export const confirmPlace = async (link: Link, target: CheckTarget): Promise<Place> => {
  const { place } = link;
  if (place.transport === 'stdio' || target.transport !== undefined) return place;
  const session = { era: 'modern', revision: LATEST.modern } as const;
  const discover = requestMessage(0, 'server/discover', enveloped(undefined, session, {}));
  const headers = { ...BASE_HEADERS, ...mirroredHeaders(discover), ...place.headers };
  const posted = await openHttpExchange(
    { method: 'POST', url: place.url, headers, body: JSON.stringify(discover) },
    httpSettings(link),
  );
  posted.close();
  if (posted.status < 400) return place;
  const got = await openHttpExchange(
    { method: 'GET', url: place.url, headers: { accept: 'text/event-stream', ...place.headers } },
    httpSettings(link),
  ).catch(() => undefined);
  if (got === undefined) return place;
  try {
    if (!got.isStream || got.status !== 200) return place;
    const first = await got.events.until((event) => event, 0, { ms: 2_000, what: 'event', signal: link.signal });
    return first?.event === 'endpoint' ? { ...place, transport: 'sse' } : place;
  } catch {
    return place;
  } finally {
    got.close();
  }
};
