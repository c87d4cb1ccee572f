/** A line or an event did not end within the limit. */
export class TooLong extends Error {
  override readonly name = 'TooLong';

  constructor(what: 'line' | 'event', limit: number) {
    super(`A ${what} did not end within ${limit} bytes.`);
  }
}
