import { isJsonObject } from '@plugboard/base';
import { Cookie, CookieJar as ToughJar, MemoryCookieStore, type Store } from 'tough-cookie';

export interface KeptCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
}

const MAX_COOKIES_PER_ANSWER = 50;

/** What scripts may ask of the store, through `pm.cookies.jar()`. */
const STORE_METHODS = new Set([
  'findCookie',
  'findCookies',
  'putCookie',
  'updateCookie',
  'removeCookie',
  'removeCookies',
  'removeAllCookies',
  'getAllCookies',
] as const satisfies readonly (keyof Store)[]);

type StoreMethod = typeof STORE_METHODS extends Set<infer Name> ? Name : never;
const isStoreMethod = (name: string): name is StoreMethod => (STORE_METHODS as ReadonlySet<string>).has(name);

/** Cookies of one run. */
export class CookieJar {
  readonly #store = new MemoryCookieStore();
  readonly #jar = new ToughJar(this.#store, { rejectPublicSuffixes: false, looseMode: true });

  async header(url: URL): Promise<string> {
    return this.#jar.getCookieString(url.href);
  }

  async keep(url: URL, setCookie: readonly string[]): Promise<void> {
    for (const text of setCookie.slice(0, MAX_COOKIES_PER_ANSWER)) {
      await this.#jar.setCookie(text, url.href, { ignoreError: true });
    }
  }

  async list(url: URL): Promise<readonly KeptCookie[]> {
    const cookies = await this.#jar.getCookies(url.href);
    return cookies.map(({ key, value, domain, path }) => ({
      name: key,
      value,
      domain: domain ?? '',
      path: path ?? '/',
    }));
  }

  /** One call of a script to the store: what it answers, as JSON. Undefined for what no store can do. */
  async call(method: string, args: readonly unknown[]): Promise<{ readonly value: unknown } | undefined> {
    if (!isStoreMethod(method)) return undefined;
    const run = this.#store[method].bind(this.#store) as (...values: unknown[]) => Promise<unknown>;
    const value = await run(...args.map((arg) => (isJsonObject(arg) ? Cookie.fromJSON(arg) : arg)));
    if (Array.isArray(value)) return { value: value.map((cookie: Cookie) => cookie.toJSON()) };
    return { value: value instanceof Cookie ? value.toJSON() : undefined };
  }
}
