import { isJsonObject, type JsonObject, tryJson } from '@plugboard/base';
import { OAuthFailure } from './oauth-failure.js';
import { sendOnce, type OAuthHttp } from './oauth-http.js';
import { secureUrl } from './secure-url.js';

export type Fetched =
  | { readonly found: true; readonly document: JsonObject }
  /** `failing`: the place may have a document, but cannot hand it out now. */
  | { readonly found: false; readonly failing: boolean };

const MAX_REDIRECTS = 3;

/** A metadata document, if there is one. Redirects are followed inside the origin only. */
const fetchDocument = async (http: OAuthHttp, address: string, signal: AbortSignal): Promise<Fetched> => {
  let url = secureUrl(address, 'address of a metadata document');
  for (let hops = 0; ; hops += 1) {
    const response = await sendOnce(http, url.href, { method: 'GET', headers: { accept: 'application/json' }, signal });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, url.href)) {
      const target = new URL(location, url);
      if (target.origin !== url.origin || hops === MAX_REDIRECTS) return { found: false, failing: false };
      url = target;
      continue;
    }
    if (response.status !== 200) return { found: false, failing: response.status >= 500 || response.status === 429 };
    const document = tryJson(await response.text());
    // Many sites answer any path with a page.
    return isJsonObject(document) ? { found: true, document } : { found: false, failing: false };
  }
};

/** The first of several places that has a document that `accept` takes. */
export const firstDocument = async <Accepted>(
  http: OAuthHttp,
  places: readonly string[],
  options: {
    readonly signal: AbortSignal;
    readonly accept: (document: JsonObject, place: string) => Accepted | undefined;
  },
): Promise<Accepted | undefined> => {
  let failing: string | undefined;
  for (const place of places) {
    const fetched = await fetchDocument(http, place, options.signal);
    const accepted = fetched.found ? options.accept(fetched.document, place) : undefined;
    if (accepted !== undefined) return accepted;
    failing ??= !fetched.found && fetched.failing ? place : undefined;
  }
  if (failing === undefined) return undefined;
  const { host } = new URL(failing);
  throw new OAuthFailure('transient', `${host} did not return its metadata.`, {
    hint: 'Try again later.',
    details: { host },
  });
};
