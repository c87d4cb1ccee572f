import type { CatalogueEntry, CatalogueSnapshot } from '@plugboard/contract';
import type { CatalogueSource } from './catalogue-source.js';

/** Derives something from the catalogue once per snapshot. */
export const snapshotView = <T>(catalogue: CatalogueSource, derive: (snapshot: CatalogueSnapshot) => T): (() => T) => {
  let seen: CatalogueSnapshot | undefined;
  let value: T | undefined;
  return () => {
    const snapshot = catalogue.snapshot();
    if (snapshot !== seen) {
      value = derive(snapshot);
      seen = snapshot;
    }
    return value as T;
  };
};

export const enabledEntries = (snapshot: CatalogueSnapshot): readonly CatalogueEntry[] =>
  snapshot.entries.filter(({ server }) => server.enabled);
