import { createHmac, timingSafeEqual } from 'node:crypto';

const NAME_LENGTH = 12;

/** What a browser is known by between the beginning of a login and its end. It is worth nothing for any other login. */
export class BrowserBinding {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  cookieFor(state: string): { readonly name: string; readonly value: string } {
    const name = createHmac('sha256', this.#key).update(`login name ${state}`).digest('hex').slice(0, NAME_LENGTH);
    const value = createHmac('sha256', this.#key).update(`login browser ${state}`).digest('base64url');
    return { name: `plugboard_login_${name}`, value };
  }

  knows(state: string, cookies: ReadonlyMap<string, string>): boolean {
    const { name, value } = this.cookieFor(state);
    const given = Buffer.from(cookies.get(name) ?? '');
    const wanted = Buffer.from(value);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}
