/** `1 tool`, `2 tools`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const UNITS: readonly (readonly [number, string])[] = [
  [60, 's'],
  [60, 'min'],
  [24, 'h'],
  [Number.POSITIVE_INFINITY, 'd'],
];

/** Adds a full stop if the text does not end with punctuation. */
export const sentence = (text: string): string => (/[.!?…]$/u.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** `5 min ago`. */
export const ago = (at: string, now = Date.now()): string => {
  const started = Date.parse(at);
  if (Number.isNaN(started)) return '';
  let amount = Math.max(0, Math.round((now - started) / 1000));
  if (amount < 5) return 'just now';
  for (const [size, unit] of UNITS) {
    if (amount < size) return `${amount} ${unit} ago`;
    amount = Math.floor(amount / size);
  }
  return '';
};

/** The time of today, `8:37:49 AM`; of another day also its date, `Nov 17, 8:37 AM`. */
export const moment = (at: string, now = new Date()): string => {
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return '';
  if (then.toDateString() === now.toDateString()) return then.toLocaleTimeString();
  return then.toLocaleString(undefined, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
};

/** `850 µs`, `12 ms`, `3.4 s`. */
export const milliseconds = (ms: number): string => {
  if (ms === 0) return '< 1 ms';
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
};

/** `12.5 %`. */
export const percent = (rate: number): string => `${(rate * 100).toFixed(rate === 1 || rate === 0 ? 0 : 1)} %`;

/** Text of a stranger can reverse the text around it, or hide in it: such characters are shown by their number. */
export const visible = (text: string): string =>
  text.replaceAll(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu,
    (character) => `␦${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

/** `TIMEOUT 3, NETWORK 1`. */
export const countsByName = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
