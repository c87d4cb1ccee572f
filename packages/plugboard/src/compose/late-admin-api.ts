import { madeOnce } from '@plugboard/base';
import type { AdminAppOptions } from '@plugboard/registry';
import type { AdminApi } from './admin-api.js';
import type { ComposedAccess } from './compose-access.js';

/** The first calls come before it, where nobody asks for it. */
const DELAY_MS = 3_000;

export interface LateAdminApi {
  readonly handle: AdminApi['handle'];
  readonly fetch: (request: Request) => Promise<Response>;
  /** The hub has started. */
  loadSoon(): void;
  close(): void;
}

/**
 * The admin API, loaded with its first request: a start and calls of tools do without it. Without a request it is loaded a
 * little later, because Node never loads a module that it could not load once, for example while all files are in use.
 */
export const lateAdminApi = (
  parts: AdminAppOptions,
  access: Pick<ComposedAccess, 'admit' | 'challenging'>,
  onFailure: (error: unknown) => void,
): LateAdminApi => {
  const load = madeOnce(async () => (await import('./admin-api.js')).openAdminApi(parts, access));
  let loading: NodeJS.Timeout | undefined;
  return {
    handle: async (...exchange) => (await load()).handle(...exchange),
    fetch: async (request) => (await load()).fetch(request),
    loadSoon: () => {
      loading = setTimeout(() => void load().catch(onFailure), DELAY_MS).unref();
    },
    close: () => clearTimeout(loading),
  };
};
