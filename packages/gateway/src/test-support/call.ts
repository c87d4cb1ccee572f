import { type JsonRpcNotification, type JsonObject, revisionOf, type RevisionId } from '@plugboard/wire';
import { LOCAL_CALLER } from '../call/caller.js';
import type { ClientFacts, ClientSession, McpCall } from '../call/mcp-call.js';
import type { Scope } from '../call/scope.js';

export const clientOf = (revision: RevisionId, capabilities: JsonObject = {}): ClientFacts => ({
  revision: revisionOf(revision),
  capabilities,
  clientInfo: { name: 'client', version: '1' },
  caller: LOCAL_CALLER,
});

export const emptyScope: Scope = {
  id: 'test',
  kind: 'merged',
  offers: 'everything',
  servers: () => [],
  tools: () => [],
  extras: () => [],
  findTool: (name) => {
    throw new Error(`no ${name}`);
  },
};

export interface TestCall extends McpCall {
  readonly heard: JsonRpcNotification[];
}

/** A call with everything that a test does not care about. */
export const callOf = (method: string, params: JsonObject = {}, changes: Partial<McpCall> = {}): TestCall => {
  const heard: JsonRpcNotification[] = [];
  return {
    id: 1,
    method,
    params,
    client: clientOf('2025-11-25'),
    session: undefined,
    scope: emptyScope,
    reply: { notify: (notification) => heard.push(notification) },
    signal: new AbortController().signal,
    logLevel: undefined,
    headers: {},
    heard,
    ...changes,
  };
};

export interface TestSession extends ClientSession {
  readonly heard: JsonRpcNotification[];
  end(): void;
}

export const sessionOf = (client: ClientFacts = clientOf('2025-11-25'), id = 's1'): TestSession => {
  const heard: JsonRpcNotification[] = [];
  const listeners = new Set<() => void>();
  return {
    id,
    client,
    endpoint: emptyScope,
    view: undefined,
    logLevel: undefined,
    channel: { notify: (notification) => heard.push(notification) },
    onEnd: (listener) => listeners.add(listener),
    heard,
    end: () => {
      for (const listener of listeners) listener();
    },
  };
};
