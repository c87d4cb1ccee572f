import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

const compress = promisify(gzip);
/** Below this, compression saves no packet. */
const MIN_COMPRESSED_BYTES = 1024;

interface HeldFile {
  readonly bytes: Buffer;
  readonly compressed: Buffer | undefined;
  readonly etag: string;
}

export interface StaticFilesOptions {
  readonly directory: string;
  /** The content security policy of a file. */
  readonly policyOf: (name: string) => string;
  /** Is the name derived from the content, so that browsers may keep the file for good? */
  readonly isLasting?: (name: string) => boolean;
}

export interface StaticFiles {
  has(name: string): boolean;
  answer(name: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const filesUnder = (directory: string): ReadonlySet<string> => {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
    );
  } catch {
    // Compiled without these pages: the API is still there.
    return new Set();
  }
};

const hold = async (path: string): Promise<HeldFile> => {
  const bytes = await readFile(path);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const isText = MEDIA_TYPES[extname(path)] !== undefined;
  return {
    bytes,
    etag,
    compressed: isText && bytes.length >= MIN_COMPRESSED_BYTES ? await compress(bytes) : undefined,
  };
};

const takesGzip = ({ 'accept-encoding': accepted }: IncomingMessage['headers']): boolean =>
  typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/u.test(accepted);

/** The files that were in `directory` at the first request. Each is read and compressed once. */
export const staticFiles = ({ directory, policyOf, isLasting = () => false }: StaticFilesOptions): StaticFiles => {
  let known: ReadonlySet<string> | undefined;
  const held = new Map<string, Promise<HeldFile>>();
  const fileOf = (name: string): Promise<HeldFile> => {
    const found = held.get(name);
    if (found !== undefined) return found;
    const read = hold(join(directory, name));
    held.set(name, read);
    // A file that cannot be read now may be readable later.
    read.catch(() => held.delete(name));
    return read;
  };
  return {
    has: (name) => {
      known ??= filesUnder(directory);
      return known.has(name);
    },
    answer: async (name, request, response) => {
      const { bytes, compressed, etag } = await fileOf(name);
      const zipped = compressed !== undefined && takesGzip(request.headers);
      const body = zipped ? compressed : bytes;
      const headers = {
        'content-type': MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
        'content-security-policy': policyOf(name),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': isLasting(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        ...(zipped ? { 'content-encoding': 'gzip' } : {}),
        etag,
      };
      if (request.headers['if-none-match'] === etag) {
        response.writeHead(304, headers).end();
        return;
      }
      response.writeHead(200, { ...headers, 'content-length': body.length });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
  };
};
