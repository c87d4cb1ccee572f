import { PlugboardError, type KeptAgent, type CatalogueSnapshot } from '@plugboard/contract';

const LISTS = ['server_ids', 'toolset_ids', 'allow_tool_ids', 'deny_tool_ids'] as const;
type ListName = (typeof LISTS)[number];

const idsIn = (snapshot: CatalogueSnapshot): Readonly<Record<ListName, ReadonlySet<string>>> => {
  const tools = new Set<string>(snapshot.entries.flatMap((entry) => entry.tools.map(({ id }) => id)));
  return {
    server_ids: new Set(snapshot.entries.map(({ server }) => server.id)),
    toolset_ids: new Set((snapshot.toolsets ?? []).map(({ id }) => id)),
    allow_tool_ids: tools,
    deny_tool_ids: tools,
  };
};

/** Throws INVALID_ARGUMENT when an agent is given what there is not; what vanished since it was given does no harm. */
export const checkAgent = (after: KeptAgent, before: KeptAgent | undefined, snapshot: CatalogueSnapshot): void => {
  const known = idsIn(snapshot);
  for (const list of LISTS) {
    const had = new Set<string>(before?.[list] ?? []);
    const missing = after[list].find((id) => !known[list].has(id) && !had.has(id));
    if (missing === undefined) continue;
    throw new PlugboardError('INVALID_ARGUMENT', `"${list}" names ${missing}, which does not exist.`, {
      hint: 'List the existing entries and use their ids.',
      details: { member: list, id: missing },
    });
  }
};
