import type { JsonDocument } from './fetch-document.js';

export const textMember = (document: JsonDocument, name: string): string | undefined => {
  const value = document[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const listMember = (document: JsonDocument, name: string): readonly string[] | undefined => {
  const value = document[name];
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : undefined;
};

export const flagMember = (document: JsonDocument, name: string): boolean => document[name] === true;
