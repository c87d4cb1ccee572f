import { count } from './count.js';

/** How long ago something was, as people say it. */
export const age = (timestamp: string, now: number): string => {
  const seconds = Math.max(0, Math.round((now - Date.parse(timestamp)) / 1000));
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${count(Math.floor(seconds / 60), 'minute')} ago`;
  if (seconds < 86_400) return `${count(Math.floor(seconds / 3600), 'hour')} ago`;
  return `${count(Math.floor(seconds / 86_400), 'day')} ago`;
};
