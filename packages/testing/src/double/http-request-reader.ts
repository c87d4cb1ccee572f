/** A request as it came over the socket. */
export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which socket brought it, counted from 1. */
  readonly socket: number;
}

interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
}

const HEAD_END = '\r\n\r\n';

const parseHead = (text: string, length: number): Head => {
  const [start = '', ...lines] = text.split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { method, path, headers: Object.fromEntries(headers), length };
};

/** The body of a chunked message and the bytes that it took; undefined while it is incomplete. */
const readChunked = (bytes: Buffer): { readonly body: Buffer; readonly used: number } | undefined => {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (bytes.length < from + size + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), used: from + 2 };
    parts.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
};

/** Takes bytes in any pieces and gives the requests that they complete. */
export class HttpRequestReader {
  readonly #socket: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(socket: number) {
    this.#socket = socket;
  }

  take(chunk: Buffer): readonly DoubleRequest[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const requests: DoubleRequest[] = [];
    for (let request = this.#next(); request !== undefined; request = this.#next()) requests.push(request);
    return requests;
  }

  #next(): DoubleRequest | undefined {
    const end = this.#bytes.indexOf(HEAD_END);
    if (end === -1) return undefined;
    const head = parseHead(this.#bytes.toString('latin1', 0, end), end + HEAD_END.length);
    const rest = this.#bytes.subarray(head.length);
    const found = head.headers['transfer-encoding'] === 'chunked' ? readChunked(rest) : readSized(head, rest);
    if (found === undefined) return undefined;
    this.#bytes = rest.subarray(found.used);
    const { method, path, headers } = head;
    return { method, path, headers, body: found.body.toString('utf8'), socket: this.#socket };
  }
}

const readSized = (head: Head, rest: Buffer): { readonly body: Buffer; readonly used: number } | undefined => {
  const size = Number(head.headers['content-length'] ?? 0);
  return rest.length < size ? undefined : { body: rest.subarray(0, size), used: size };
};
