import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** The pages bring their own script and style, and need nothing else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const AREA = 'docs';

export interface DocsSite {
  /** Whether there is a page or a file of the site at this path. */
  serves(segments: readonly string[]): boolean;
  answer(segments: readonly string[], request: IncomingMessage, response: ServerResponse): Promise<void>;
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
    // Built from source without the site: the API's own page is still there.
    return new Set();
  }
};

/** The documentation that was built into `directory`, under /docs. Only files that were there at start are served. */
export const docsSite = (directory: string): DocsSite => {
  let known: ReadonlySet<string> | undefined;
  const find = ([area, ...rest]: readonly string[]): string | undefined => {
    if (area !== AREA) return undefined;
    known ??= filesUnder(directory);
    const path = rest.filter((segment) => segment !== '').join('/');
    return [path, path === '' ? 'index.html' : `${path}.html`].find((name) => known?.has(name));
  };
  return {
    serves: (segments) => find(segments) !== undefined,
    answer: async (segments, request, response) => {
      const name = find(segments) ?? '';
      const bytes = await readFile(join(directory, name));
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      const headers = {
        'content-type': MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
        etag,
      };
      if (request.headers['if-none-match'] === etag) {
        response.writeHead(304, headers).end();
        return;
      }
      response.writeHead(200, { ...headers, 'content-length': bytes.length });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    },
  };
};
