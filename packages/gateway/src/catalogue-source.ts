import type { CatalogueSnapshot, ServerId, ServerStatus } from '@plugboard/contract';

/** Where the gateway reads what servers offer; the registry publishes it. */
export interface CatalogueSource {
  snapshot(): CatalogueSnapshot;
  status(id: ServerId): ServerStatus;
}
