const KEY = 'plugboard.proof';

/**
 * What proves that requests come from pages of this hub. The hub tells it once, when somebody signs in. It is kept where no
 * other origin can read it: unlike a cookie, not even another port of the same machine.
 */
export const keptProof = (): string | null => localStorage.getItem(KEY);

export const keepProof = (proof: string | null): void => {
  if (proof === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, proof);
};
