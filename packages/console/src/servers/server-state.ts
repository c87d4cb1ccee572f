import type { ServerView } from '@plugboard/contract';
import type { Tone } from '../ui/badge.js';
import { counted } from '../ui/format-text.js';

export interface ServerState {
  readonly word:
    | 'Healthy'
    | 'Degraded'
    | 'Quarantined'
    | 'Crash-looping'
    | 'Sign-in required'
    | 'Failing'
    | 'Disabled'
    | 'Not tried yet';
  readonly tone: Tone;
  /** What is wrong, in a sentence. */
  readonly problem?: string;
  readonly hint?: string | undefined;
}

/** So many exits in an hour that nobody asked for. */
const CRASH_LOOP = 3;

const LOGIN_CODES: ReadonlySet<string> = new Set([
  'AUTH_REQUIRED',
  'UPSTREAM_AUTH_EXPIRED',
  'UPSTREAM_AUTH_REVOKED',
  'UPSTREAM_SCOPE',
]);

const degraded = (server: ServerView): ServerState | undefined => {
  const { last_sync, missing_variables, held_tool_count: held, program } = server;
  if (missing_variables.length > 0) {
    return {
      word: 'Degraded',
      tone: 'warn',
      problem: `No value for ${missing_variables.join(', ')}.`,
      hint: 'Set the variables of the server, or let agents provide them.',
    };
  }
  if (held > 0) {
    return {
      word: 'Quarantined',
      tone: 'warn',
      problem: `${counted(held, 'changed tool')} held until you approve.`,
      hint: 'Open each held tool, read what changed, and approve or reject it. Agents do not get it until you approve.',
    };
  }
  if (last_sync?.status === 'partial') {
    return { word: 'Degraded', tone: 'warn', problem: 'Some tools could not be stored.', hint: 'See the last sync.' };
  }
  if ((program?.failures_last_hour ?? 0) > 0) {
    return {
      word: 'Degraded',
      tone: 'warn',
      problem: 'Its program ended unexpectedly in the last hour.',
      hint: 'The log has the last lines of its output.',
    };
  }
  return undefined;
};

/** How a server is, in a word that a person understands. */
export const stateOf = (server: ServerView): ServerState => {
  const { enabled, status, program } = server;
  if (!enabled) return { word: 'Disabled', tone: 'quiet' };
  if (status.state === 'failing') {
    const { code, message, hint } = status.error;
    const facts = { problem: message, hint };
    if (LOGIN_CODES.has(code)) return { word: 'Sign-in required', tone: 'warn', ...facts };
    if (code === 'PROCESS_CRASH_LOOP' || (program?.failures_last_hour ?? 0) >= CRASH_LOOP) {
      return { word: 'Crash-looping', tone: 'bad', ...facts };
    }
    return { word: 'Failing', tone: 'bad', ...facts };
  }
  if (status.state === 'unknown') return { word: 'Not tried yet', tone: 'quiet' };
  return degraded(server) ?? { word: 'Healthy', tone: 'good' };
};

const ORDER: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, info: 2, good: 3, quiet: 4 };

/** What needs a person comes first. */
export const byUrgency = (left: ServerView, right: ServerView): number =>
  ORDER[stateOf(left).tone] - ORDER[stateOf(right).tone] || left.server_name.localeCompare(right.server_name);
