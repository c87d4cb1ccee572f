import { editDistance } from './edit-distance.js';

/** Words come from people, models and servers: comparing long ones with many would take too long. */
const MAX_LENGTH = 64;
const MAX_WORDS = 1_000;

/** How much of a word may be wrong. */
const MAX_WRONG = 0.4;

/** Case and separators are most easily mistaken: `userName`, `user_name`, `User-Name`. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[\s_.-]/gu, '');

/** The known word that was most likely meant, if any is close enough. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > MAX_LENGTH) return undefined;
  const wanted = plain(word);
  const limit = Math.max(1, Math.floor(word.length * MAX_WRONG));
  const [best] = known
    .slice(0, MAX_WORDS)
    .filter((candidate) => candidate.length <= MAX_LENGTH)
    .map((candidate) => ({ candidate, given: plain(candidate) }))
    .map(({ candidate, given }) => ({
      candidate,
      distance: editDistance(wanted, given),
      length: Math.max(wanted.length, given.length),
    }))
    // Words that have nothing in common are never meant.
    .filter(({ distance, length }) => distance === 0 || (distance <= limit && distance < length))
    .toSorted((left, right) => left.distance - right.distance);
  return best?.candidate;
};
