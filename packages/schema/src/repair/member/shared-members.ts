import { isJsonObject } from '@plugboard/base';
import { listOf, members, oneOf, record, text, withMembers, type Repair } from './repair.js';

const sizes: Repair = (value) => (typeof value === 'string' ? [value] : listOf(text)(value));

const icon: Repair = (value) =>
  isJsonObject(value) && typeof value['src'] === 'string'
    ? withMembers(value, { mimeType: text, sizes, theme: oneOf('light', 'dark') })
    : undefined;

const share: Repair = (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined);

const ISO_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u;

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  // years before 100 mean other centuries to the constructor
  return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const time: Repair = (value) => {
  const found = typeof value === 'string' ? ISO_TIME.exec(value) : null;
  if (found === null) return undefined;
  return isDay(Number(found[1]), Number(found[2]), Number(found[3])) ? value : undefined;
};

/** Annotations of content and of resources. */
export const annotations = members({
  audience: listOf(oneOf('user', 'assistant')),
  priority: share,
  lastModified: time,
});

/** What everything that is listed may have. */
export const LISTED_MEMBERS = { title: text, description: text, icons: listOf(icon), _meta: record } as const;
