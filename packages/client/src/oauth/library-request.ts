import type { AuthorizationServerMetadata, RegisteredClient } from '@plugboard/contract';
import type { AuthorizationServer, Client } from 'oauth4webapi';
import { sendOnce, type OAuthHttp } from './oauth-http.js';

interface LibraryInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const bodyOf = (body: unknown): { body?: string | URLSearchParams } =>
  typeof body === 'string' || body instanceof URLSearchParams ? { body } : {};

/** The library sends through our bounds and deadlines. Endpoints were vetted when the metadata was read. */
export const libraryFetch =
  (http: OAuthHttp) =>
  (url: string, init: LibraryInit): Promise<Response> =>
    sendOnce(http, url, {
      method: init.method,
      headers: init.headers,
      ...bodyOf(init.body),
      signal: init.signal ?? new AbortController().signal,
    });

export const toLibraryServer = (metadata: AuthorizationServerMetadata): AuthorizationServer =>
  ({ ...metadata }) as AuthorizationServer;

export const toLibraryClient = ({ clientId }: RegisteredClient): Client => ({ client_id: clientId });
