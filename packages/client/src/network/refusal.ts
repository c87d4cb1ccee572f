import { PlugboardError } from '@plugboard/contract';

const HINT =
  'An operator can allow it with the "urls" setting (PLUGBOARD_URLS): allow-all, or a list of hosts and networks.';

/** Why a host may not be reached; the host was given by the caller, so it may be said again. */
export const urlRefused = (host: string, why: string): PlugboardError =>
  new PlugboardError('URL_REFUSED', `The hub may not connect to ${host.slice(0, 255)}: ${why}.`, {
    hint: HINT,
    details: { host: host.slice(0, 255) },
  });
