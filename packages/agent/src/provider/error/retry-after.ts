/** How long a provider asks to wait, in seconds, milliseconds or as a date. */
export const retryAfterMs = (headers: Headers | undefined, now: () => number = Date.now): number | undefined => {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ms >= 0) return Math.ceil(ms);
  const after = headers?.get('retry-after') ?? '';
  const seconds = Number.parseFloat(after);
  if (seconds >= 0) return Math.ceil(seconds * 1000);
  const at = Date.parse(after);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now());
};
