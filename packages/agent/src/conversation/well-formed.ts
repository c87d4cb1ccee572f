import { isJsonObject } from '@plugboard/base';

/** Halves of characters cannot be sent as UTF-8, and providers reject the request. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '');

/** The same value without halves of characters in any of its texts. */
export const wellFormedValue = <Value>(value: Value): Value => {
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return wellFormed(one);
    if (Array.isArray(one)) return one.map(clean);
    if (!isJsonObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [wellFormed(name), clean(member)]));
  };
  return clean(value) as Value;
};
