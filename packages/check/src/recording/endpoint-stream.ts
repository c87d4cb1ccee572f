import { Transform, type TransformCallback } from 'node:stream';

/** More than this before the end of the first event, and it is no endpoint event. */
const MOST = 16 * 1024;
const FIRST_EVENT = /^(?<event>[\s\S]*?)(?:\r\n\r\n|\n\n|\r\r)/u;
const NAMED = /^event: ?endpoint\r?$/mu;
const DATA = /^(?<field>data: ?)(?<address>.*?)(?<end>\r?)$/mu;

/**
 * The stream of HTTP+SSE begins with an event that names the address for requests. On its way through a proxy the address
 * becomes a path, so that the client sends its requests through the proxy, too. Everything else passes as it is.
 */
export class EndpointStream extends Transform {
  readonly #upstream: URL;
  readonly #onEndpoint: (path: string) => void;
  #held: Buffer | undefined = Buffer.alloc(0);

  constructor(upstream: URL, onEndpoint: (path: string) => void) {
    super();
    this.#upstream = upstream;
    this.#onEndpoint = onEndpoint;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#held === undefined) return done(null, chunk);
    this.#held = Buffer.concat([this.#held, chunk]);
    // Byte for byte: what is not the address stays as it came.
    const text = this.#held.toString('latin1');
    const event = FIRST_EVENT.exec(text)?.groups?.['event'];
    if (event === undefined && text.length < MOST) return done();
    this.#held = undefined;
    done(null, Buffer.from(this.#routed(text, event ?? ''), 'latin1'));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#held);
  }

  #routed(text: string, event: string): string {
    const address = NAMED.test(event) ? DATA.exec(event)?.groups?.['address'] : undefined;
    if (address === undefined || !URL.canParse(address, this.#upstream.href)) return text;
    const { origin, pathname, search } = new URL(address, this.#upstream);
    if (origin !== this.#upstream.origin) return text;
    const path = `${pathname}${search}`;
    this.#onEndpoint(path);
    return (
      event.replace(DATA, (_line, field: string, _address, end: string) => `${field}${path}${end}`) +
      text.slice(event.length)
    );
  }
}
