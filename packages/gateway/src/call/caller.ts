import type { Grant } from '@plugboard/contract';

/** On whose behalf a request is made. Access control fills it in; without any, everybody is the same caller. */
export interface Caller {
  /** Binds what must not be handed from one caller to another. */
  readonly principal: string;
  /** The agent, where connections are kept per agent. */
  readonly agent?: string | undefined;
  /** Under which name its own logins to servers are kept; left out for those who operate the hub. */
  readonly ownLogin?: string | undefined;
  /** What it may use now; everything when left out or undefined. Asked anew each time: rights may change in a session. */
  readonly grant?: (() => Grant | undefined) | undefined;
}

export const LOCAL_CALLER: Caller = { principal: 'local' };
