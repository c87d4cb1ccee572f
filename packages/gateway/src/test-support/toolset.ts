import type { CatalogueEntry, Toolset } from '@plugboard/contract';
import type { CatalogueSource } from '../offer/catalogue/catalogue-source.js';

const AT = '2026-11-01T00:00:00.000Z';

export const sampleToolset = (name: string, changes: Partial<Toolset> = {}): Toolset => ({
  id: 'toolset-00000000-0000-4000-8000-000000000001',
  name,
  description: null,
  entries: [],
  read_only: false,
  provider: null,
  exposure: 'all',
  created_at: AT,
  updated_at: AT,
  ...changes,
});

/** A catalogue that a test replaces as it likes. */
export const changingCatalogue = (entries: readonly CatalogueEntry[], toolsets: readonly Toolset[]) => {
  const state = { version: 1, entries, toolsets };
  const source: CatalogueSource = {
    snapshot: () => state,
    status: () => ({ state: 'unknown' }),
    onChange: () => () => undefined,
  };
  return { state, source };
};
