import { PlugboardError } from '@plugboard/contract';

const segmentsOf = (target: string): readonly string[] => {
  const end = target.search(/[?#]/u);
  const path = end === -1 ? target : target.slice(0, end);
  try {
    const segments = path.split('/').filter((segment) => segment !== '');
    return path.includes('%') ? segments.map(decodeURIComponent) : segments;
  } catch (cause) {
    throw new PlugboardError('INVALID_ARGUMENT', 'The path is not correctly percent-encoded.', {
      hint: 'Encode each part of the path with encodeURIComponent.',
      cause,
    });
  }
};

const MAX_KEPT = 500;
const known = new Map<string, readonly string[]>();

/** The decoded segments of a request's path; what cannot be decoded is refused. The same few paths come with every call. */
export const pathSegments = (target: string): readonly string[] => {
  const found = known.get(target);
  if (found !== undefined) return found;
  const segments = segmentsOf(target);
  if (known.size >= MAX_KEPT) known.clear();
  known.set(target, segments);
  return segments;
};
