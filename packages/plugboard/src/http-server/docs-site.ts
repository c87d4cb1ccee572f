import type { Site } from './site.js';
import { staticFiles } from './static-files.js';

/** The pages bring their own script and style, and need nothing else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const AREA = 'docs';

/** The documentation that was built into `directory`, under /docs. Only files that were there at start are served. */
export const docsSite = (directory: string): Site => {
  const files = staticFiles({ directory, policyOf: () => POLICY });
  const find = ([area, ...rest]: readonly string[]): string | undefined => {
    if (area !== AREA) return undefined;
    const path = rest.filter((segment) => segment !== '').join('/');
    return [path, path === '' ? 'index.html' : `${path}.html`].find((name) => files.has(name));
  };
  return {
    serves: (segments) => find(segments) !== undefined,
    answer: (segments, request, response) => files.answer(find(segments) ?? '', request, response),
  };
};
