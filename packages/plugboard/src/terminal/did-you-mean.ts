import { nearest } from '@plugboard/base';
import { printableLine } from './printable.js';

/** A hint about an unknown name: what was probably meant, then the rest. */
export const didYouMean = (name: string, known: readonly string[], rest: string): string => {
  const near = nearest(name, known);
  return near === undefined ? rest : `Did you mean "${printableLine(near)}"? ${rest}`;
};
