const MAX_EXCERPT = 160;

const excerpt = (text: string): string =>
  JSON.stringify(text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text);

/** What was taken out of a text and what was put in, without what both have at their ends. */
export const textDifference = (before: string, after: string): string => {
  if (before === '') return `it now says ${excerpt(after)}`;
  if (after === '') return `it no longer says ${excerpt(before)}`;
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const removed = before.slice(start, before.length - end).trim();
  const added = after.slice(start, after.length - end).trim();
  if (removed === '') return added === '' ? 'only its spaces differ' : `it adds ${excerpt(added)}`;
  return added === '' ? `it drops ${excerpt(removed)}` : `${excerpt(removed)} became ${excerpt(added)}`;
};

/** Any JSON value as text for such a comparison. */
export const asText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
};
