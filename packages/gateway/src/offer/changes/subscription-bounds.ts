import { PlugboardError } from '@plugboard/contract';
import { invalidParams } from '../../rpc/rpc-refusal.js';

/** One session, or one listen stream, watches no more resources. */
const MAX_SUBSCRIPTIONS = 1000;
const MAX_URI_CHARS = 8192;

/** Throws RATE_LIMITED when a client wants to watch more resources than it may. */
export const checkSubscriptionCount = (count: number): void => {
  if (count <= MAX_SUBSCRIPTIONS) return;
  throw new PlugboardError(
    'RATE_LIMITED',
    `A client can be subscribed to at most ${MAX_SUBSCRIPTIONS} resources at a time.`,
    { hint: 'Unsubscribe from resources that are no longer needed, then subscribe again.' },
  );
};

/** Throws INVALID_ARGUMENT for a URI that is too long to be kept for every subscriber. */
export const checkSubscriptionUri = (uri: string): void => {
  if (uri.length > MAX_URI_CHARS) throw invalidParams(`The URI has more than ${MAX_URI_CHARS} characters.`);
};
