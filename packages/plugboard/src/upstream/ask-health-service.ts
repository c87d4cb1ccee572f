import { createGuardedFetch, type GuardedFetchOptions, type UrlGuard } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import type { AskService } from '@plugboard/registry';

export interface ServiceAsker {
  readonly ask: AskService;
  close(): Promise<void>;
}

const unwell = (thrown: unknown, signal: AbortSignal): PlugboardError => {
  if (thrown instanceof PlugboardError) return thrown;
  const options = { hint: 'Check that it is running and that its URL is right.', cause: thrown };
  return signal.aborted
    ? new PlugboardError('UPSTREAM_TIMEOUT', 'It did not answer in time.', options)
    : new PlugboardError('UPSTREAM_REFUSED', 'Nothing responds at its address.', options);
};

/** Asks services how they are, at addresses that the policy allows. A redirect is an answer, and not followed. */
export const serviceAsker = (urls: UrlGuard, network: GuardedFetchOptions = {}): ServiceAsker => {
  const guarded = createGuardedFetch(urls, network);
  return {
    ask: async (url, signal) => {
      try {
        const answer = await guarded.fetch(url, { redirect: 'manual', signal });
        await answer.body?.cancel();
        return answer.status;
      } catch (thrown) {
        throw unwell(thrown, signal);
      }
    },
    close: () => guarded.close(),
  };
};
