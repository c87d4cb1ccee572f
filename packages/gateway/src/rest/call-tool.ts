import { LATEST_LEGACY } from '@plugboard/wire';
import { LOCAL_CALLER } from '../call/caller.js';
import type { NextStep } from '../call/step.js';
import { legacyCall } from '../downstream/legacy-call.js';
import { statelessFacts } from '../downstream/open-session.js';
import { readRaw } from '../rpc/raw-json.js';
import type { Scopes } from '../scope/scopes.js';
import type { CallTool } from './server-endpoints.js';

/** Sends a plain call through the same steps as every other request: it is guarded, counted and written down. */
export const restCall =
  (scopes: Scopes, pipeline: NextStep): CallTool =>
  async ({ kind, name, tool }, args, { signal, caller = LOCAL_CALLER }) => {
    const whole = kind === 'server' ? scopes.server(name, caller) : scopes.toolset(name, caller);
    const scope = scopes.for(whole, caller);
    const params = { name: tool, arguments: args };
    const call = legacyCall(
      { jsonrpc: '2.0', id: 0, method: 'tools/call', params },
      {
        scope,
        client: statelessFacts(LATEST_LEGACY, caller),
        session: undefined,
        reply: { notify: () => undefined },
        signal,
      },
    );
    return readRaw(await pipeline(call));
  };
