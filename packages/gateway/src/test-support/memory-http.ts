import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

/** The client's end of a connection that exists in memory only: it takes everything at once. */
class Wire extends Duplex {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  override _read(): void {
    // The request is handed over whole.
  }
}

export interface MemoryRequest {
  readonly method?: string;
  /** Those of a usual client, unless said otherwise; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface MemoryAnswer {
  readonly response: ServerResponse;
  /** Everything that was sent so far, heads included. */
  text(): string;
  /** The JSON of the body. */
  json(): Readonly<Record<string, unknown>>;
  /** The client hangs up. */
  hangUp(): void;
}

interface Listener<Endpoint> {
  find(segments: readonly string[]): Endpoint | undefined;
  handle(endpoint: Endpoint, request: IncomingMessage, response: ServerResponse): void;
}

/** Brings a request to the listener as node:http would, without a socket. */
export const memoryHttp =
  <Endpoint>(listener: Listener<Endpoint>) =>
  (path: string, { method = 'POST', headers = {}, body }: MemoryRequest = {}): MemoryAnswer => {
    const wire = new Wire();
    const request = new IncomingMessage(wire as never);
    request.method = method;
    request.url = path;
    request.complete = true;
    const usual = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    Object.assign(request.headers, usual, headers);
    const response = new ServerResponse(request);
    response.assignSocket(wire as never);
    wire.on('close', () => response.destroy());
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    request.push(text === '' ? null : text);
    if (text !== '') request.push(null);
    const segments = path.replace(/\?.*$/u, '').split('/').filter(Boolean);
    const endpoint = listener.find(segments);
    if (endpoint === undefined) throw new Error(`nothing is served at ${path}`);
    listener.handle(endpoint, request, response);
    return {
      response,
      text: () => wire.text,
      json: () =>
        JSON.parse(/\{.*\}|\[.*\]/su.exec(wire.text.split('\r\n\r\n').slice(1).join(''))?.[0] ?? '{}') as Record<
          string,
          unknown
        >,
      hangUp: () => wire.destroy(),
    };
  };
