import { readyAnswer } from '@plugboard/contract';
import type { HubApi } from '../../hub-api/hub-api.js';
import { machineRoom, processCapacity } from '../../upstream/program/process-capacity.js';
import type { Settings } from '../../settings/settings.js';
import { type Finding, fine, problem, warning } from './finding.js';

const PROCESSES = { id: 'processes', subject: 'Processes' };

/** How many processes of servers a hub would run. */
export const checkProcessLimit = ({ processes }: Settings): Finding => {
  const { max } = processes;
  return fine({
    ...PROCESSES,
    message:
      max === undefined
        ? `up to ${processCapacity(machineRoom())} at once, by memory and open files`
        : `up to ${max} at once (processes.max)`,
  });
};

/** Do the processes of the running hub fit its limit? */
export const checkProcessLoad = async (hub: HubApi): Promise<Finding> => {
  // A hub that is not ready answers with an error, for example when its disk is full: the doctor must not stop there.
  const answer = await hub.request('GET', '/ready').catch(() => undefined);
  if (answer === undefined) {
    return problem(
      { ...PROCESSES, message: 'unknown, because the hub says that it is not ready' },
      'Look at the last lines of its log. A store that cannot be written, on a full disk for example, is a common cause.',
    );
  }
  const parsed = readyAnswer.safeParse(answer.json);
  const load = parsed.success ? parsed.data.processes : undefined;
  if (load === undefined) return fine({ ...PROCESSES, message: 'the hub does not report how many are running' });
  const { running, max, waiting, evicted } = load;
  const ended = evicted === 0 ? '' : `; ${evicted} idle ones were stopped to make room`;
  if (waiting === 0) return fine({ ...PROCESSES, message: `${running} of at most ${max} are running${ended}` });
  return warning(
    { ...PROCESSES, message: `all ${max} are in use, and ${waiting} more are waiting${ended}` },
    'Raise processes.max in plugboard.json if the machine has room, or end sessions that are no longer needed.',
  );
};
