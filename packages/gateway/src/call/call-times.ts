/** When a request passed the stations of the full path, in milliseconds that never go back. The fast path notes none. */
export interface CallTimes {
  /** It was routed and admitted, and needs a connection. */
  forwarded?: number | undefined;
  connected?: number | undefined;
  /** It went out, perhaps not for the first time. */
  sent?: number | undefined;
  answered?: number | undefined;
}

/**
 * How long each part of a request took. `prepare`: find out who answers, and limits. `connect`: get a connection. `queue`: wait
 * for a free place at the server, and earlier attempts. `server`: from sending to the answer. `relay`: pass the answer on.
 */
export type CallPhase = 'prepare' | 'connect' | 'queue' | 'server' | 'relay';

export type CallPhases = Readonly<Partial<Record<CallPhase, number>>>;

const STATIONS: readonly (readonly [CallPhase, keyof CallTimes | 'ended'])[] = [
  ['prepare', 'forwarded'],
  ['connect', 'connected'],
  ['queue', 'sent'],
  ['server', 'answered'],
  ['relay', 'ended'],
];

/** In the order in which a request passes them. */
export const CALL_PHASES: readonly CallPhase[] = STATIONS.map(([phase]) => phase);

/** The phases of a request that ended; the one in which it ended is the last. Undefined when it was not forwarded. */
export const phasesOf = (times: CallTimes | undefined, startedAt: number, endedAt: number): CallPhases | undefined => {
  if (times?.forwarded === undefined) return undefined;
  const phases: Partial<Record<CallPhase, number>> = {};
  let before = startedAt;
  for (const [phase, station] of STATIONS) {
    const at = station === 'ended' ? endedAt : times[station];
    phases[phase] = Math.max(0, (at ?? endedAt) - before);
    if (at === undefined) break;
    before = at;
  }
  return phases;
};
