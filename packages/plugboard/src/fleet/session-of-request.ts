import type { IncomingMessage } from 'node:http';

export interface NamedSession {
  readonly id: string;
  /** Can another process continue it? A session over HTTP+SSE ends with its stream. */
  readonly isKept: boolean;
}

/** As hubs make them. */
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
const QUERY = /[?&]sessionId=([\da-f-]{36})(?:&|$)/u;

/** The session that a request names: in its header, or in its address where that is how HTTP+SSE has it. */
export const sessionOfRequest = ({
  headers,
  url = '',
}: Pick<IncomingMessage, 'headers' | 'url'>): NamedSession | undefined => {
  const named = headers['mcp-session-id'];
  const id = typeof named === 'string' ? named : QUERY.exec(url)?.[1];
  return id !== undefined && SESSION_ID.test(id) ? { id, isKept: typeof named === 'string' } : undefined;
};

const RUN_ID = /^\d{8}T\d{9}Z-([\da-f]{8})[\da-f]{8}$/u;

/** The process that carries out a run of the referee or a benchmark. */
export const markOfRun = (id = ''): string | undefined => RUN_ID.exec(id)?.[1];

const COMPLETION = /^(?:chatcmpl-|resp_)([\da-f]{8})[\da-f]{24}$/u;

/** The process in which the agent runs that a decision is about. */
export const markOfDecision = ([, area, kind, completion = '', what]: readonly string[]): string | undefined =>
  area === 'chat' && kind === 'completions' && what === 'decision' ? COMPLETION.exec(completion)?.[1] : undefined;

const COOKIE = /(?:^|;\s*)(?:__Host-)?plugboard_session=([\da-f]{8})\./u;

/** The process at which a browser is signed in. */
export const markOfBrowser = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  COOKIE.exec(headers.cookie ?? '')?.[1];
