import type { CatalogueSnapshot, CompareSessionList, ServerId, ServerStatus } from '@plugboard/contract';

/** Where the gateway reads what servers offer; the registry publishes it. */
export interface CatalogueSource {
  snapshot(): CatalogueSnapshot;
  /** Other names of servers, for paths. A server that is registered under such a name comes first. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  status(id: ServerId): ServerStatus;
  /** Called after every change of what servers offer. Returns the way to stop listening. */
  onChange(listener: (snapshot: CatalogueSnapshot) => void): () => void;
  /** Judges what a server offers to one session only; without it, every session gets what the catalogue has. */
  readonly compareSessionList?: CompareSessionList | undefined;
}
