import { content } from './content.js';
import { envelope } from './envelope.js';
import { notifications, serverRequests } from './from-server.js';
import { offered } from './offered.js';
import { results } from './result.js';
import type { Shapes } from './shape.js';

/** Every definition of a revision, by the name that its specification gives it. */
export const definitionsOf = (revision: string): Shapes => ({
  ...envelope(revision),
  ...offered(revision),
  ...content(revision),
  ...results(revision),
  ...notifications(revision),
  ...serverRequests(revision),
});
