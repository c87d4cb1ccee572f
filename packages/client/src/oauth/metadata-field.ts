import type { JsonObject } from '@plugboard/base';

export const textMember = (document: JsonObject, name: string): string | undefined => {
  const value = document[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const listMember = (document: JsonObject, name: string): readonly string[] | undefined => {
  const value = document[name];
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : undefined;
};

export const flagMember = (document: JsonObject, name: string): boolean => document[name] === true;
