import type { IncomingMessage, ServerResponse } from 'node:http';

/** Pages that the hub serves from files, to everybody: no secret is in them. */
export interface Site {
  /** Whether there is a page or a file of the site at this path. */
  serves(segments: readonly string[]): boolean;
  answer(segments: readonly string[], request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Several sites as one: the first that has a path serves it. */
export const sites = (all: readonly Site[]): Site => {
  const find = (segments: readonly string[]): Site | undefined => all.find((site) => site.serves(segments));
  return {
    serves: (segments) => find(segments) !== undefined,
    answer: async (segments, request, response) => find(segments)?.answer(segments, request, response),
  };
};
