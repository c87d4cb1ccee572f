import type { Toolset, ToolsetUpdate } from '@plugboard/contract';

const chosen = <Value>(given: Value | undefined, before: Value): Value => (given === undefined ? before : given);

/** The toolset with what the update names; what is left out stays. */
export const changedToolset = (before: Toolset, update: ToolsetUpdate, updatedAt: string): Toolset => ({
  ...before,
  name: chosen(update.name, before.name),
  description: chosen(update.description, before.description),
  entries: chosen(update.entries, before.entries),
  read_only: chosen(update.read_only, before.read_only),
  provider: chosen(update.provider, before.provider),
  exposure: chosen(update.exposure, before.exposure),
  updated_at: updatedAt,
});
