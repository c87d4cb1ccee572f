import type { WebSessionView } from '@plugboard/contract';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';
import { useHttp } from './hub.js';
import { forgetAllRuns } from './kept-runs.js';
import type { Http } from './http.js';

const SESSION = ['session'];

/** What somebody signs in with: a key, or the secret of a link that the hub printed. */
export type Proof = { readonly key: string } | { readonly link: string };

const KEY = 'plugboard.proof';

/**
 * What proves that requests come from pages of this hub. The hub tells it once, when somebody signs in. It is kept where no
 * other origin can read it: unlike a cookie, not even another port of the same machine.
 */
const keptProof = (): string | null => localStorage.getItem(KEY);

const keepProof = (proof: string | null): void => {
  if (proof === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, proof);
};

const keep = (http: Http, session: WebSessionView | null): WebSessionView | null => {
  http.csrf = session?.csrf_token ?? null;
  keepProof(http.csrf);
  return session;
};

const read = async (http: Http, signal: AbortSignal): Promise<WebSessionView | null> => {
  // Another tab may have signed in since.
  http.csrf = keptProof();
  try {
    return keep(http, await http.json<WebSessionView>('/v1/session', { signal }));
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 401) return keep(http, null);
    throw thrown;
  }
};

/** Who is signed in; null for nobody. */
export const useSession = () => {
  const http = useHttp();
  return useQuery({ queryKey: SESSION, queryFn: ({ signal }) => read(http, signal), staleTime: 60_000 });
};

export const useSignIn = () => {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (proof: Proof) => http.json<WebSessionView>('/v1/session', { method: 'POST', body: proof }),
    onSuccess: (session) => {
      keep(http, session);
      queries.setQueryData(SESSION, session);
    },
  });
};

export const useSignOut = () => {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => http.json('/v1/session', { method: 'DELETE' }),
    onSettled: () => {
      forgetAllRuns();
      forgetSession(http, queries);
    },
  });
};

/** The session is over: nothing that was read with it stays on the page. */
export const forgetSession = (http: Http, queries: QueryClient): void => {
  keep(http, null);
  // The session's own query is being watched; it changes, and the others go.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  queries.setQueryData(SESSION, null);
};

/** Asks again who is signed in, because the hub may be another process now. */
export const recheckSession = (queries: QueryClient): Promise<void> => queries.invalidateQueries({ queryKey: SESSION });
