/**
 * How often something may be called that the target does not allow explicitly. A tool is called in each era once by a client that
 * can do nothing special, and once by one that answers questions. In the modern era each round of a question is a call, and so
 * is the test of its state: of a tool of both eras that asks once, these are six calls.
 */
export const MAX_CALLS = 6;

/** So many more calls may show a failure a second time, or compare two ways to the server. */
export const MORE_TO_CONFIRM = 4;

/** The same for a report. */
export const LIMIT_WORDS = `at most ${MAX_CALLS} calls, and ${MORE_TO_CONFIRM} more to confirm a failure`;
