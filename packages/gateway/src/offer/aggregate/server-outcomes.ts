import type { Server, ServerStatus } from '@plugboard/contract';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';

/** How each server did when a merged list was put together, by its name. */
export const OUTCOMES_META = 'dev.plugboard/servers';

export type ServerOutcome = { readonly state: string; readonly code?: string };

const codeOf = (status: ServerStatus): string | undefined =>
  status.state === 'failing' ? status.error.code : undefined;

/** Would both be shown as the same outcome? */
export const sameOutcome = (one: ServerStatus, other: ServerStatus | undefined): boolean =>
  one === other || (one.state === other?.state && codeOf(one) === codeOf(other));

/** From the catalogue: lists of tools are as of the last time the server was reached. */
export const catalogueOutcomes = (
  catalogue: CatalogueSource,
  servers: readonly Server[],
): Readonly<Record<string, ServerOutcome>> =>
  Object.fromEntries(
    servers.map((server) => {
      const status = catalogue.status(server.id);
      return [
        server.server_name,
        status.state === 'failing' ? { state: status.state, code: status.error.code } : { state: status.state },
      ];
    }),
  );
