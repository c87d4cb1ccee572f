import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { tryJson } from '@plugboard/base';
import type { FormField, RequestBody } from '../model/collection-model.js';

export interface EncodedBody {
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
}

/** Reads a file of the directory of the collections. */
export type ReadBodyFile = (src: string) => Promise<Uint8Array>;

export interface BodyParts {
  readonly fill: (text: string) => string;
  readonly readFile: ReadBodyFile;
}

export const encodeBody = async (body: RequestBody, parts: BodyParts): Promise<EncodedBody> => {
  const { fill, readFile } = parts;
  switch (body.mode) {
    case 'none':
      return {};
    case 'raw':
      return { bytes: Buffer.from(fill(body.text)), contentType: body.contentType ?? 'text/plain' };
    case 'urlencoded': {
      const form = new URLSearchParams(body.fields.map(({ key, value }): [string, string] => [fill(key), fill(value)]));
      // As Postman writes it; a plus would be read as itself by strict servers.
      return {
        bytes: Buffer.from(form.toString().replaceAll('+', '%20')),
        contentType: 'application/x-www-form-urlencoded',
      };
    }
    case 'formdata':
      return multipart(body.fields, parts);
    case 'graphql': {
      const text = JSON.stringify({ query: fill(body.query), variables: jsonOr(fill(body.variables), {}) });
      return { bytes: Buffer.from(text), contentType: 'application/json' };
    }
    case 'file':
      return { bytes: await readFile(fill(body.src)), contentType: 'application/octet-stream' };
  }
};

const multipart = async (fields: readonly FormField[], parts: BodyParts): Promise<EncodedBody> => {
  const boundary = `form-${randomUUID()}`;
  const pieces: Uint8Array[] = [];
  for (const field of fields) {
    const { head, content } = await part(field, parts);
    pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`), content, CRLF);
  }
  return {
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
};

const CRLF = Buffer.from('\r\n');

const part = async (
  field: FormField,
  { fill, readFile }: BodyParts,
): Promise<{ readonly head: string; readonly content: Uint8Array }> => {
  const name = `name="${quoted(fill(field.key))}"`;
  if (!('file' in field)) return { head: name, content: Buffer.from(fill(field.value)) };
  const src = fill(field.file);
  const type = (field.contentType ?? 'application/octet-stream').replaceAll(/[\r\n]/gu, ' ');
  return {
    head: `${name}; filename="${quoted(basename(src))}"\r\nContent-Type: ${type}`,
    content: await readFile(src),
  };
};

const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const jsonOr = (text: string, fallback: object): unknown => {
  const value = tryJson(text);
  return value === undefined ? fallback : value;
};
