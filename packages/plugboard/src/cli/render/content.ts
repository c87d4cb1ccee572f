import { isJsonObject } from '@plugboard/base';
import { printableLine } from '../../terminal/printable.js';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const UNITS = ['bytes', 'KB', 'MB', 'GB'];

/** A size as people write it. */
export const sizeWords = (bytes: number): string => {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? ''}`;
};

const base64Size = (data: unknown): string => sizeWords(Buffer.byteLength(text(data), 'base64'));

const resourceWords = (resource: unknown, show: (block: string) => string): string => {
  if (!isJsonObject(resource)) return '[resource of unknown shape]';
  const uri = printableLine(text(resource['uri']));
  if (typeof resource['text'] === 'string') return show(resource['text']);
  return `[resource ${uri} ${printableLine(text(resource['mimeType']))}, ${base64Size(resource['blob'])}]`;
};

/** One part of a result: text as it is, everything else in a line that says what it is. */
export const contentWords = (part: unknown, show: (block: string) => string): string => {
  if (!isJsonObject(part)) return '[content of unknown shape]';
  switch (part['type']) {
    case 'text':
      return show(text(part['text']));
    case 'image':
    case 'audio':
      return `[${part['type']} ${printableLine(text(part['mimeType']))}, ${base64Size(part['data'])}]`;
    case 'resource_link':
      return `[link to ${printableLine(text(part['uri']))}${typeof part['name'] === 'string' ? `: ${printableLine(part['name'])}` : ''}]`;
    case 'resource':
      return resourceWords(part['resource'], show);
    default:
      return `[${printableLine(text(part['type']) || 'unknown')} content]`;
  }
};

/** For text whose writer makes it safe where it goes to a terminal. */
export const asWritten = (block: string): string => block;
