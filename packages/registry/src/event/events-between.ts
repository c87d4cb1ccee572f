import type { CatalogueEntry, CatalogueSnapshot, HubEvent, Tool } from '@plugboard/contract';
import { decisionState } from '../quarantine/quarantine.js';

const serverOf = ({ server }: CatalogueEntry, at: string) => ({
  at,
  server_id: server.id,
  server_name: server.server_name,
});

const DECISION_EVENTS = { held: 'tool_quarantined', rejected: 'tool_rejected' } as const;

const quarantineEvents = (before: readonly Tool[], after: CatalogueEntry, at: string): readonly HubEvent[] => {
  if (before === after.tools) return [];
  const earlier = new Map(before.map((tool) => [tool.id, tool]));
  return after.tools.flatMap((tool): HubEvent[] => {
    const was = decisionState({ quarantine: earlier.get(tool.id)?.quarantine });
    const is = decisionState(tool);
    if (was === is) return [];
    const facts = { ...serverOf(after, at), tool_id: tool.id, tool: tool.upstream_name };
    return [{ event: is === undefined ? 'tool_approved' : DECISION_EVENTS[is], ...facts }];
  });
};

/** The entries of each that the other does not have as they are. Both are ordered by name, so one walk finds them. */
const unlike = (
  before: readonly CatalogueEntry[],
  after: readonly CatalogueEntry[],
): { readonly was: readonly CatalogueEntry[]; readonly is: readonly CatalogueEntry[] } => {
  const [was, is]: [CatalogueEntry[], CatalogueEntry[]] = [[], []];
  let [old, now] = [0, 0];
  while (old < before.length || now < after.length) {
    const [one, other] = [before[old], after[now]];
    const isOlder = other === undefined || (one !== undefined && one.server.server_name <= other.server.server_name);
    const isNewer = one === undefined || (other !== undefined && other.server.server_name <= one.server.server_name);
    if (one !== undefined && isOlder) {
      if (one !== other) was.push(one);
      old += 1;
    }
    if (other !== undefined && isNewer) {
      if (one !== other) is.push(other);
      now += 1;
    }
  }
  return { was, is };
};

const serverEvents = (before: CatalogueSnapshot, after: CatalogueSnapshot, at: string): readonly HubEvent[] => {
  const { was, is } = unlike(before.entries, after.entries);
  const earlier = new Map(was.map((entry) => [entry.server.id, entry]));
  const later = new Set(is.map(({ server }) => server.id));
  const removed = was.filter(({ server }) => !later.has(server.id));
  return [
    ...removed.map((entry): HubEvent => ({ event: 'server_removed', ...serverOf(entry, at) })),
    ...is.flatMap((entry): readonly HubEvent[] => {
      const held = earlier.get(entry.server.id);
      if (held === undefined) return [{ event: 'server_added', ...serverOf(entry, at) }];
      const changed = held.server.updated_at !== entry.server.updated_at;
      return [
        ...(changed ? [{ event: 'server_changed' as const, ...serverOf(entry, at) }] : []),
        ...quarantineEvents(held.tools, entry, at),
      ];
    }),
  ];
};

const toolsetEvents = (before: CatalogueSnapshot, after: CatalogueSnapshot, at: string): readonly HubEvent[] => {
  const earlier = new Map((before.toolsets ?? []).map((toolset) => [toolset.id, toolset]));
  const later = new Set((after.toolsets ?? []).map(({ id }) => id));
  const changed = (after.toolsets ?? []).filter(({ id, updated_at }) => earlier.get(id)?.updated_at !== updated_at);
  const removed = [...earlier.values()].filter(({ id }) => !later.has(id));
  return [
    ...removed.map(({ name }): HubEvent => ({ event: 'toolset_removed', at, name })),
    ...changed.map(({ name }): HubEvent => ({ event: 'toolset_changed', at, name })),
  ];
};

/** What happened between two states of the catalogue, by whichever process. */
export const eventsBetween = (before: CatalogueSnapshot, after: CatalogueSnapshot, at: string): readonly HubEvent[] => [
  ...serverEvents(before, after, at),
  ...toolsetEvents(before, after, at),
];
