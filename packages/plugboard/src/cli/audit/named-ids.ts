import type { HubApi } from '../../hub-api/hub-api.js';

const ID = /\b(?:mcp_server|agent|toolset|key|tool)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gu;
const LISTS: readonly (readonly [path: string, nameMember: string])[] = [
  ['/v1/mcp-servers?limit=500', 'server_name'],
  ['/v1/agents?limit=500', 'name'],
  ['/v1/toolsets?limit=500', 'name'],
  ['/v1/keys?limit=500', 'name'],
];

const namesOf = async (api: HubApi, path: string, member: string): Promise<readonly (readonly [string, string])[]> => {
  try {
    const { json } = await api.request('GET', path);
    const entries = Array.isArray(json) ? (json as readonly Readonly<Record<string, unknown>>[]) : [];
    return entries.map((entry) => [String(entry['id']), String(entry[member])]);
  } catch {
    // Who may read the audit trail need not be allowed to read everything in it: ids stay ids then.
    return [];
  }
};

/** Gives texts back with every id that the hub knows replaced by its name. */
export const nameIds = async (api: HubApi): Promise<(text: string) => string> => {
  const names = new Map((await Promise.all(LISTS.map(([path, member]) => namesOf(api, path, member)))).flat());
  return (text) => text.replaceAll(ID, (id) => names.get(id) ?? id);
};
