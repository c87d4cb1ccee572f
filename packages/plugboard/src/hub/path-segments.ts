import { PlugboardError } from '@plugboard/contract';

/** The decoded segments of a request's path; what cannot be decoded is refused. */
export const pathSegments = (target: string): readonly string[] => {
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
