import { randomUUID } from 'node:crypto';
import { CollectionError } from '../collections-error.js';
import type { KeyValue, RequestBody } from '../library/collection-model.js';

export interface EncodedBody {
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
}

export const encodeBody = (body: RequestBody, fill: (text: string) => string): EncodedBody => {
  switch (body.mode) {
    case 'none':
      return {};
    case 'raw':
      return { bytes: Buffer.from(fill(body.text)), contentType: body.contentType ?? 'text/plain' };
    case 'urlencoded': {
      const form = new URLSearchParams(body.fields.map(({ key, value }): [string, string] => [fill(key), fill(value)]));
      return { bytes: Buffer.from(form.toString()), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'formdata':
      return multipart(body.fields.map(({ key, value }) => ({ key: fill(key), value: fill(value) })));
    case 'graphql': {
      const text = JSON.stringify({ query: fill(body.query), variables: jsonOr(fill(body.variables), {}) });
      return { bytes: Buffer.from(text), contentType: 'application/json' };
    }
    case 'file':
      throw new CollectionError('BODY_NOT_SUPPORTED');
  }
};

const multipart = (fields: readonly KeyValue[]): EncodedBody => {
  const boundary = `form-${randomUUID()}`;
  const parts = fields.map(
    ({ key, value }) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(key)}"\r\n\r\n${value}\r\n`,
  );
  return {
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
};

const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const jsonOr = (text: string, fallback: object): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fallback;
  }
};
