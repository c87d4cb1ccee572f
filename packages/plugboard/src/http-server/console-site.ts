import type { Site } from './site.js';
import { staticFiles } from './static-files.js';

/**
 * The console runs its own script only, and talks to its own hub only. What servers send is shown as text, or as pictures
 * and sound from memory: nothing is loaded from elsewhere.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "font-src 'self'",
  // Only the frame below: every other page of the hub refuses to be framed.
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Apps of servers run their own scripts, without an origin of their own, and load nothing: no address, no frame, no form.
 * The policy also holds for the frame inside, which has the page of the server.
 */
const FRAME_POLICY = [
  'sandbox allow-scripts allow-forms',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data:',
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const AREA = 'console';
const FRAME = 'app-frame.html';
const HOME = 'index.html';

/** The console that was built into `directory`: its page at /, its files under /console. */
export const consoleSite = (directory: string): Site => {
  const files = staticFiles({
    directory,
    policyOf: (name) => (name === FRAME ? FRAME_POLICY : POLICY),
    isLasting: (name) => name.startsWith('assets/'),
  });
  const find = ([area, ...rest]: readonly string[]): string | undefined => {
    if (area === undefined) return files.has(HOME) ? HOME : undefined;
    const name = area === AREA ? rest.join('/') : '';
    return name !== HOME && files.has(name) ? name : undefined;
  };
  return {
    serves: (segments) => find(segments) !== undefined,
    answer: (segments, request, response) => files.answer(find(segments) ?? '', request, response),
  };
};
