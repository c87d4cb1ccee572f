import { PlugboardError } from '@plugboard/contract';

const DOTS: ReadonlySet<string> = new Set(['.', '..']);

const notPlain = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'The request target is not a plain path.', {
    hint: 'Send a path that begins with / and has no backslash and no segment . or .., encoded or not.',
  });

const segmentsOf = (target: string): readonly string[] => {
  if (!target.startsWith('/')) throw notPlain();
  const end = target.search(/[?#]/u);
  const path = end === -1 ? target : target.slice(0, end);
  if (path.includes('\\')) throw notPlain();
  let segments: readonly string[];
  try {
    const written = path.split('/').filter((segment) => segment !== '');
    segments = path.includes('%') ? written.map(decodeURIComponent) : written;
  } catch (cause) {
    throw new PlugboardError('INVALID_ARGUMENT', 'The path is not correctly percent-encoded.', {
      hint: 'Encode each part of the path with encodeURIComponent.',
      cause,
    });
  }
  if (segments.some((segment) => DOTS.has(segment))) throw notPlain();
  return segments;
};

const MAX_KEPT = 500;
const known = new Map<string, readonly string[]>();

/**
 * The decoded segments of a request's path. What cannot be decoded is refused, and what a URL parser would read as another
 * path: rules that were applied to one path must not admit to another. The same few paths come with every call.
 */
export const pathSegments = (target: string): readonly string[] => {
  const found = known.get(target);
  if (found !== undefined) return found;
  const segments = segmentsOf(target);
  if (known.size >= MAX_KEPT) known.clear();
  known.set(target, segments);
  return segments;
};
