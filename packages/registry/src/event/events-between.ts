import type { CatalogueEntry, CatalogueSnapshot, HubEvent, Tool } from '@plugboard/contract';

const serverOf = ({ server }: CatalogueEntry, at: string) => ({
  at,
  server_id: server.id,
  server_name: server.server_name,
});

const quarantineEvents = (before: readonly Tool[], after: CatalogueEntry, at: string): readonly HubEvent[] => {
  if (before === after.tools) return [];
  const earlier = new Map(before.map((tool) => [tool.id, tool]));
  return after.tools.flatMap((tool): HubEvent[] => {
    const held = earlier.get(tool.id);
    const [was, is] = [held?.quarantine !== undefined, tool.quarantine !== undefined];
    if (was === is) return [];
    const facts = { ...serverOf(after, at), tool_id: tool.id, tool: tool.upstream_name };
    return [is ? { event: 'tool_quarantined', ...facts } : { event: 'tool_approved', ...facts }];
  });
};

const serverEvents = (before: CatalogueSnapshot, after: CatalogueSnapshot, at: string): readonly HubEvent[] => {
  const earlier = new Map(before.entries.map((entry) => [entry.server.id, entry]));
  const later = new Set(after.entries.map(({ server }) => server.id));
  const removed = before.entries.filter(({ server }) => !later.has(server.id));
  return [
    ...removed.map((entry): HubEvent => ({ event: 'server_removed', ...serverOf(entry, at) })),
    ...after.entries.flatMap((entry): readonly HubEvent[] => {
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
