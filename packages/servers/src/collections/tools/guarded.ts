import { guardedBy } from '../../serve/tool-answer.js';

export const guarded = guardedBy('The server could not do that. Try again; if it happens again, restart it.');
