import { type AuditEntry, EXIT, type ExitCode } from '@plugboard/contract';
import { auditPages } from '../../hub-api/client/audit-client.js';
import { printableJson, printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';
import type { HubApi } from '../../hub-api/hub-api.js';

export interface AuditInput {
  readonly kind?: AuditEntry['kind'] | undefined;
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
  /** Every entry as one line of JSON, for a file. */
  readonly export: boolean;
}

const SHOWN = 100;

const columns = (style: Style, named: (text: string) => string): readonly Column<AuditEntry>[] => [
  { title: 'WHEN', text: ({ at }) => at.slice(0, 19).replace('T', ' '), paint: style.dim },
  { title: 'WHO', text: ({ actor }) => printableLine(named(actor)), shrinkTo: 10 },
  { title: 'WHAT', text: ({ action }) => printableLine(action), paint: style.bold, shrinkTo: 12 },
  { title: 'ON', text: ({ target }) => printableLine(named(target)), shrinkTo: 16 },
  { title: 'OUTCOME', text: ({ outcome }) => outcome },
];

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
const nameIds = async (api: HubApi): Promise<(text: string) => string> => {
  const names = new Map((await Promise.all(LISTS.map(([path, member]) => namesOf(api, path, member)))).flat());
  return (text) => text.replaceAll(ID, (id) => names.get(id) ?? id);
};

export const run = async ({ out, hub, process }: CommandContext, input: AuditInput): Promise<ExitCode> => {
  const { api } = await hub();
  const ask = { kind: input.kind, since: input.since, limit: input.limit ?? (input.export ? undefined : SHOWN) };
  const entries: AuditEntry[] = [];
  for await (const page of auditPages(api, ask)) {
    if (input.export) for (const entry of page) process.stdout.write(`${printableJson(JSON.stringify(entry))}\n`);
    else entries.push(...page);
  }
  if (input.export) return EXIT.ok;
  out.data(entries);
  if (out.json) return EXIT.ok;
  if (entries.length > 0) out.text(formatTable(columns(out.style, await nameIds(api)), entries, out));
  else out.note('The audit trail is empty.');
  return EXIT.ok;
};
