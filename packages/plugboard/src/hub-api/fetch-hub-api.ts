import { anySignal, tryJson } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { answerError } from './answer-error.js';
import { eventMessages, eventStreamAnswer } from './event-messages.js';
import type { HubAnswer, HubApi, HubMethod, HubPlace, HubRequestOptions } from './hub-api.js';

export interface FetchHubOptions {
  readonly place: HubPlace;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly apiKey?: string | undefined;
  readonly signal: AbortSignal;
  readonly close?: () => Promise<void>;
}

const DEADLINE_MS = 120_000;

const answerOf = async (response: Response): Promise<unknown> => {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return isStream && response.body !== null ? eventStreamAnswer(response.body) : tryJson(await response.text());
};

const unreachable = (place: HubPlace, cause: unknown): PlugboardError => {
  if (place.kind === 'in-process') throw cause;
  return new PlugboardError('HUB_UNREACHABLE', `The hub at ${place.url} cannot be reached.`, {
    hint: 'Start it with `plugboard serve`, or check --hub and PLUGBOARD_HUB_URL.',
    cause,
  });
};

/** The hub behind anything that answers a Request: a socket, or the composed hub itself. */
export const fetchHubApi = ({ place, fetch, apiKey, signal, close }: FetchHubOptions): HubApi => {
  const base = place.kind === 'running' ? place.url : 'http://127.0.0.1';

  const send = async (method: HubMethod, path: string, options: HubRequestOptions): Promise<Response> => {
    const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    const deadline = AbortSignal.timeout(deadlineMs);
    const cancelled = options.evenWhenStopping === true ? undefined : signal;
    const request = new Request(new URL(path, base.endsWith('/') ? base : `${base}/`), {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: anySignal(cancelled, deadline, options.signal),
    });
    try {
      return await fetch(request);
    } catch (thrown) {
      if (deadline.aborted) {
        if (options.tooSlow !== undefined) throw options.tooSlow();
        throw new PlugboardError('HUB_UNREACHABLE', `The hub did not answer within ${deadlineMs / 1000} s.`, {
          hint: 'Look at its log, or run `plugboard doctor`.',
          cause: thrown,
        });
      }
      signal.throwIfAborted();
      options.signal?.throwIfAborted();
      throw unreachable(place, thrown);
    }
  };

  const open: HubApi['open'] = async (method, path, options = {}) => {
    const response = await send(method, path, options);
    if (response.ok) return response;
    throw answerError(response.status, tryJson(await response.text()));
  };

  return {
    place,
    request: async (method, path, options = {}): Promise<HubAnswer> => {
      const response = await send(method, path, options);
      const json = await answerOf(response);
      if (!response.ok) throw answerError(response.status, json);
      return { status: response.status, json };
    },
    open,
    events: async function* events(path, options = {}) {
      const response = await open(options.body === undefined ? 'GET' : 'POST', path, options);
      if (response.body !== null) yield* eventMessages(response.body);
    },
    close: async () => {
      await close?.();
    },
  };
};
