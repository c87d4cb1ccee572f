/** Request lines and headers as text, made once for each set of headers. */
export class HttpHeads {
  readonly #path: string;
  readonly #host: string;
  readonly #known = new WeakMap<object, string>();
  #base: Readonly<Record<string, string>>;

  constructor(url: string, base: Readonly<Record<string, string>>) {
    const { pathname, search, host } = new URL(url);
    this.#path = `${pathname}${search}`;
    this.#host = host;
    this.#base = base;
  }

  /** Headers that every later request carries, too. */
  with(more: Readonly<Record<string, string>>, url?: string): HttpHeads {
    return new HttpHeads(url ?? `http://${this.#host}${this.#path}`, { ...this.#base, ...more });
  }

  post(headers: Readonly<Record<string, string>>): string {
    const known = this.#known.get(headers);
    if (known !== undefined) return known;
    const made = this.#write('POST', { ...this.#base, ...headers });
    this.#known.set(headers, made);
    return made;
  }

  get(headers: Readonly<Record<string, string>>): string {
    return this.#write('GET', { ...this.#base, ...headers });
  }

  delete(): string {
    return this.#write('DELETE', this.#base);
  }

  #write(method: string, headers: Readonly<Record<string, string>>): string {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${this.#path} HTTP/1.1\r\nhost: ${this.#host}\r\n${lines.join('')}`;
  }
}
