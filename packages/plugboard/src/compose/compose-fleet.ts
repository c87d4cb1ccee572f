import { type CatalogueSnapshot, toPlugboardError } from '@plugboard/contract';
import { Fleet, type FleetOptions } from '../fleet/fleet.js';
import { ServerNames } from '../fleet/server-of-request.js';
import type { Logger } from '../log/logger.js';
import { VERSION } from '../process/version.js';
import type { Settings } from '../settings/settings.js';
import type { ComposedAccess } from './compose-access.js';

export interface FleetParts extends Pick<FleetOptions, 'store' | 'taskKey' | 'holdsSession' | 'releaseShared'> {
  /** Made after the fleet. */
  readonly access: () => Pick<ComposedAccess, 'localKey' | 'addressOf'>;
  readonly settings: Settings;
  readonly snapshot: () => CatalogueSnapshot;
  readonly log: Logger;
}

/** The processes that share the store with this one and serve the same clients. */
export const composeFleet = ({ settings, snapshot, log, access, ...parts }: FleetParts): Fleet => {
  const names = new ServerNames({ snapshot, aliases: settings.aliases });
  return new Fleet({
    ...parts,
    localKey: () => access().localKey,
    addressOf: (request) => access().addressOf(request),
    address: settings.fleet,
    version: VERSION,
    serverOf: (request, segments) => names.serverOf(request, segments),
    onStoreFailure: (thrown) =>
      log.warn('The store does not answer; other replicas are reached as they were last known.', {
        reason: toPlugboardError(thrown).message,
      }),
  });
};
