import type { CheckTransport } from '@plugboard/contract';
import type { Launch, LaunchOptions } from '../connection/child.js';
import type { Endings } from '../connection/endings.js';
import type { Network } from '../connection/network.js';
import type { Transcript } from '../connection/transcript.js';
import type { Observations } from './observations.js';
import type { Death } from './death.js';

export interface SessionBudgets {
  /** How long an answer may take. */
  readonly requestMs: number;
  /** How long a process may take until its first answer. */
  readonly startMs: number;
  /** How long silence must last to count as silence. */
  readonly quietMs: number;
}

/** Where the server is and how to speak to it. */
export type Place =
  | {
      readonly transport: 'stdio';
      readonly launch: Launch;
      readonly program: LaunchOptions;
      /** The names of the variables that the target gives the program. */
      readonly variables?: readonly string[];
    }
  | {
      readonly transport: Exclude<CheckTransport, 'stdio'>;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** What every connection of a run shares. */
export interface Link {
  readonly place: Place;
  readonly transcript: Transcript;
  readonly observations: Observations;
  readonly budgets: SessionBudgets;
  readonly signal: AbortSignal;
  readonly network?: Network | undefined;
  /** What the processes of this run did when they were asked to end. */
  readonly endings?: Endings | undefined;
  /** Whether a new process answers the handshake, however long that takes; undefined before the first one has. */
  readonly startControl?: (() => Promise<boolean>) | undefined;
  /** Told when a process ends in place of an answer. */
  readonly onDeath?: ((death: Death) => void) | undefined;
}
