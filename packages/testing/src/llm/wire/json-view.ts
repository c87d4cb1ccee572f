import type { JsonObject } from '../../json-rpc/message.js';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

export const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Every string below a value, in order. */
export const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
};

const isWellFormed = (text: string): boolean => Buffer.from(text, 'utf8').toString('utf8') === text;

/** UTF-8 has no bytes for half a character, so no provider accepts one. */
export const hasLoneSurrogate = (value: unknown): boolean => stringsIn(value).some((text) => !isWellFormed(text));
