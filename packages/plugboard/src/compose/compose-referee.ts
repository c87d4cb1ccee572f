import { randomBytes } from 'node:crypto';
import { childEnvironment, type Confinement, type StrangerRules, type UrlGuard } from '@plugboard/client';
import type { Registry, ServerLogins, Store } from '@plugboard/registry';
import type { Fleet } from '../fleet/fleet.js';
import type { Logger } from '../log/logger.js';
import type { Settings } from '../settings/settings.js';
import { admitTarget } from '../referee/admit-target.js';
import { BenchDesk, type BenchDeskOptions } from '../referee/bench-desk.js';
import { CheckDesk } from '../referee/check-desk.js';
import { confineTarget } from '../referee/confined-target.js';
import { prepareTarget } from '../referee/registered-target.js';
import { runNetwork } from '../referee/run-network.js';

export interface RefereeParts {
  readonly settings: Settings;
  readonly registry: Registry;
  readonly logins: Pick<ServerLogins, 'credentialsFor'>;
  readonly urls: UrlGuard;
  /** Where this hub can be reached. */
  readonly own: StrangerRules;
  readonly confinement: Confinement;
  readonly log: Logger;
  /** The runs of all processes on the store. */
  readonly runs: Pick<Store, 'checkRuns' | 'benchRuns'>;
  /** The fleet that this process belongs to. */
  readonly fleet: Pick<Fleet, 'mark' | 'isThere'> | undefined;
}

export interface Referee {
  readonly runs: { readonly checks: CheckDesk; readonly benchmarks: BenchDesk };
  readonly close: () => Promise<void>;
}

/** The referee as the hub offers it: under the policies that hold for registered servers. */
export const composeReferee = ({
  settings,
  registry,
  logins,
  urls,
  own,
  confinement,
  log,
  runs,
  fleet,
}: RefereeParts): Referee => {
  const shared: Omit<BenchDeskOptions, 'runs'> = {
    log,
    holder: fleet?.mark ?? randomBytes(4).toString('hex'),
    isThere: (holder) => fleet?.isThere(holder) ?? false,
    network: (target) => runNetwork({ urls, own }, target),
    baseEnv: childEnvironment({ inherited: settings.environment }),
    prepare: async (target, principal, signal) => {
      const prepared = await prepareTarget({ registry, logins, settings }, target, { principal, signal });
      admitTarget(prepared.target, { stdio: settings.stdio, urls });
      return confineTarget(prepared, { settings, confinement });
    },
  };
  const checks = new CheckDesk({
    ...shared,
    home: settings.home,
    runs: runs.checkRuns,
    tell: (event) => registry.events.emit(event),
  });
  const benchmarks = new BenchDesk({ ...shared, runs: runs.benchRuns });
  return {
    runs: { checks, benchmarks },
    close: async () => {
      await checks.close();
      await benchmarks.close();
    },
  };
};
