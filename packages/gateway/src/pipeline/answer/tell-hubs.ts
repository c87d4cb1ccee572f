import type { Server } from '@plugboard/contract';
import { isJsonObject } from '@plugboard/wire';
import type { ClientFacts } from '../../call/mcp-call.js';
import type { CallStep } from '../../call/step.js';
import { readRaw } from '../../rpc/raw-json.js';

/** What a hub calls itself as a client. */
export const HUB_CLIENT = 'plugboard';

/** Member of the metadata of a list of tools: the ids of the hubs that its tools may come from. */
export const HUBS_META = 'dev.plugboard/hubs';

/** The ids of this hub and of those behind these servers. */
export type HubsBehind = (servers: readonly Server[]) => readonly string[];

/** Does another hub ask? */
export const isHub = ({ clientInfo }: Pick<ClientFacts, 'clientInfo'>): boolean => clientInfo?.['name'] === HUB_CLIENT;

const withHubs =
  (hubs: HubsBehind): CallStep =>
  async (call, next) => {
    const result = await next(call);
    const list = readRaw(result);
    if (!isJsonObject(list)) return result;
    return {
      ...list,
      _meta: { ...(isJsonObject(list['_meta']) ? list['_meta'] : {}), [HUBS_META]: hubs(call.scope.servers()) },
    };
  };

/** Tells a hub that lists our tools which hubs stand behind them, so that it finds itself among them. */
export const tellHubs = (hubs: HubsBehind): CallStep => {
  const tell = withHubs(hubs);
  return (call, next) => (call.method === 'tools/list' && isHub(call.client) ? tell(call, next) : next(call));
};
