import { guardedBy } from '../../serve/tool-answer.js';

export const guarded = guardedBy(
  'ENGINE_FAULT: The sandbox could not do that. Try again; if it happens again, restart the server.',
);
