import { STATUS_CODES } from 'node:http';

export interface HttpAnswer {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The bytes of a whole HTTP/1.1 answer; its length is declared unless the headers say how the body ends. */
export const httpBytes = ({ status = 200, headers = {}, body = '' }: HttpAnswer): Buffer => {
  const payload = Buffer.from(body);
  const framed = Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(framed ? [] : [`content-length: ${payload.length}`]),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), payload]);
};
