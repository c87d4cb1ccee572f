import { assignNames, modelFacingName } from '@plugboard/schema';

export interface ToolPlace {
  /** Says which tool it is. */
  readonly key: string;
  readonly server: string;
  readonly tool: string;
}

/** Names that every provider accepts, no two alike. Tools of different servers with one name get their server's in front. */
export const nameTools = (places: readonly ToolPlace[]): ReadonlyMap<string, string> => {
  const servers = new Map<string, Set<string>>();
  for (const { tool, server } of places) {
    const name = modelFacingName({ tool });
    servers.set(name, (servers.get(name) ?? new Set()).add(server));
  }
  return assignNames(
    places.map(({ key, server, tool }) => {
      const isShared = (servers.get(modelFacingName({ tool }))?.size ?? 0) > 1;
      return isShared ? { key, server, tool } : { key, tool };
    }),
  );
};
