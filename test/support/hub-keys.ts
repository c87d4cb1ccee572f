const keys = new Map<string, string>();

/** A hub of this process tells the key that it would leave in its home. */
export const rememberKey = (url: string, key: string): void => void keys.set(new URL(url).origin, key);

/** The key of the owner of a hub that runs in this process. */
export const keyOf = (url: string | URL): string | undefined => keys.get(new URL(url).origin);

/** What the owner of a hub sends along. */
export const ownerHeaders = (url: string | URL): Readonly<Record<string, string>> => {
  const key = keyOf(url);
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
};

/** The fetch of the owner of a hub. */
export const ownerFetch = (
  url: string,
  init: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
) => fetch(url, { ...init, headers: { ...ownerHeaders(url), ...init.headers } });
