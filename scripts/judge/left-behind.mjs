// The folders that the judge works in, and everything that runs there: both end with the judge, whichever way it ends.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';

const MARK = 'PLUGBOARD_JUDGE_FOLDER';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** A program may start another one while the list of processes is read. */
const MAX_SWEEPS = 20;

const folders = new Set();

/** What the environment of a process contains so that it is found again. */
export const markOf = (folder) => ({ [MARK]: folder });

const processesOf = (folder) =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/u.test(name) || Number(name) === process.pid) return false;
    try {
      // A process that has ended and was not waited for has no environment.
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`${MARK}=${folder}`);
    } catch {
      return false;
    }
  });

/** Ends the processes that carry the mark of a folder, in whichever group they are. Linux only. */
const endProcesses = (folder) => {
  if (process.platform !== 'linux') return;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    const found = processesOf(folder);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
  }
};

/** From now on the folder and what runs there end with this process. */
export const keepTrackOf = (folder) => void folders.add(folder);

/** Ends what still runs in the folder, and removes it. */
export const clear = (folder) => {
  endProcesses(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
};

const leave = (signal) => {
  for (const folder of folders) clear(folder);
  process.exit(128 + constants.signals[signal]);
};

/** Clears all folders when this process is asked to end, or when the one that started it has ended. */
export const clearOnSignals = (parent) => {
  for (const signal of SIGNALS) process.once(signal, () => leave(signal));
  parent?.once('end', () => leave('SIGTERM')).resume();
  // Listening must not keep this process from ending when its work is done.
  parent?.unref();
};

/** Passes the signals of this process on to a child. */
export const passSignalsTo = (child) => {
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
};
