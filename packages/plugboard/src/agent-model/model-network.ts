import { type GuardedFetch, leadsHome, ownPlace, type StrangerRules, type UrlGuard } from '@plugboard/client';
import { HOP_HEADER } from '../hub-loop/hop.js';
import { boundedAnswer } from './bounded-answer.js';

/** Inside texts, the quotes are escaped. */
const ASKS_FOR_STREAM = /"stream":\s*true/u;

/** A fetch for the SDKs of providers. It names this hub, so that the hub refuses what leads back to it, and bounds answers. */
export const modelFetch =
  (fetch: GuardedFetch['fetch'], hubId: string): typeof globalThis.fetch =>
  async (input, init = {}) => {
    const { body = null } = init;
    if (typeof body !== 'string' && body !== null) throw new TypeError('only texts are sent to models');
    const url = input instanceof Request ? input.url : String(input);
    const answer = await fetch(url, {
      method: init.method,
      headers: { ...Object.fromEntries(new Headers(init.headers)), [HOP_HEADER]: hubId },
      body: body ?? undefined,
      // A key must not follow a redirect to somebody else.
      redirect: 'error',
      signal: init.signal ?? undefined,
    });
    return boundedAnswer(answer, {
      provider: new URL(url).host,
      isEventStream: body !== null && ASKS_FOR_STREAM.test(body),
    });
  };

/** Throws if the hub may not reach the URL, or if it is the hub itself: an agent would ask itself without end. */
export const modelUrlCheck =
  (urls: Pick<UrlGuard, 'checkUrl'>, own: StrangerRules) =>
  (url: string): void => {
    urls.checkUrl(url);
    const parsed = new URL(url);
    if (leadsHome(parsed, own)) throw ownPlace(parsed.host);
  };
