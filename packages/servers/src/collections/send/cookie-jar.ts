/** Cookies of one run. They go back only to the host and port that set them, below the path that they name. */
export class CookieJar {
  readonly #cookies = new Map<string, { readonly origin: string; readonly path: string; readonly pair: string }>();

  header(url: URL): string {
    return [...this.#cookies.values()]
      .filter(({ origin, path }) => origin === url.origin && covers(path, url.pathname))
      .map(({ pair }) => pair)
      .join('; ');
  }

  keep(url: URL, setCookie: readonly string[]): void {
    for (const text of setCookie.slice(0, 50)) {
      const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
      const name = pair.split('=')[0] ?? '';
      if (name === '' || !pair.includes('=')) continue;
      const path = attribute(attributes, 'path') ?? '/';
      const key = `${url.origin} ${path} ${name}`;
      const gone = attribute(attributes, 'max-age') === '0' || expired(attribute(attributes, 'expires'));
      if (gone) this.#cookies.delete(key);
      else this.#cookies.set(key, { origin: url.origin, path, pair });
    }
  }
}

const attribute = (attributes: readonly string[], name: string): string | undefined =>
  attributes.find((text) => text.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);

const expired = (text: string | undefined): boolean => text !== undefined && Date.parse(text) < Date.now();

const covers = (path: string, pathname: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
