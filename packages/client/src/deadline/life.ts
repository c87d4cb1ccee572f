import { setMaxListeners } from 'node:events';

/** Ends everything that belongs to one life of a client. Many calls listen to it at once: that is no leak. */
export const createLife = (): AbortController => {
  const life = new AbortController();
  setMaxListeners(0, life.signal);
  return life;
};
