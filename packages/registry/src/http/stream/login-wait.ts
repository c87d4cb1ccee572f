import type { Registry } from '../../facade/registry.js';
import type { ConnectAttempt } from './connect-events.js';

/** How a connect stream waits for somebody to log in. */
export const loginWait = ({ logins }: Registry, holder: string): ConnectAttempt['loggedIn'] =>
  logins === undefined
    ? undefined
    : (sessionId, ms, signal) => logins.wait(sessionId, { ms, signal, holders: [holder] });
