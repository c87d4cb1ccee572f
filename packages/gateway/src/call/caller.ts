import type { Grant } from '@plugboard/contract';

/** On whose behalf a request is made. Access control fills it in; without any, everybody is the same caller. */
export interface Caller {
  readonly principal: string;
  /** The principal with the rights of this very request, where one principal may come with different ones. */
  readonly binding?: string | undefined;
  /** The agent, where connections are kept per agent. */
  readonly agent?: string | undefined;
  /** Under which name its own logins to servers are kept; left out for those who operate the hub. */
  readonly ownLogin?: string | undefined;
  /** May it know what else the deployment depends on? Everybody may when left out. */
  readonly seesServices?: boolean | undefined;
  /** What it may use now; everything when undefined. Read each time: rights may change during a session. */
  readonly grant?: (() => Grant | undefined) | undefined;
}

/** Binds what must not be handed from one caller to another, nor from strong credentials to weak ones. */
export const bindingOfCaller = ({ binding, principal }: Caller): string => binding ?? principal;

export const LOCAL_CALLER: Caller = { principal: 'local' };
