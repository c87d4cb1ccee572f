import { LOCAL_PRINCIPAL, type Principal } from '@plugboard/contract';
import type { Context } from 'hono';
import type { Endpoint } from './endpoint.js';
import type { Operation } from '../operation.js';

/**
 * Returns the principal of a request, and throws UNAUTHENTICATED or PERMISSION_DENIED if it may not perform the
 * operation.
 */
export type Admit = (operation: Operation, c: Context) => Principal | Promise<Principal>;

const PRINCIPAL = 'principal';

/** Without access control, everybody is on this machine. */
export const admitEverybody: Admit = () => LOCAL_PRINCIPAL;

/** Who makes the request; undefined while that is not known, or when it was refused. */
export const knownPrincipal = (c: Context): Principal | undefined => c.get(PRINCIPAL) as Principal | undefined;

/** Who makes the request that an endpoint answers. */
export const principalOf = (c: Context): Principal => {
  const principal = knownPrincipal(c);
  if (principal === undefined) throw new Error('an endpoint answered a request that nobody admitted');
  return principal;
};

/** The endpoint for those who may use it. */
export const admitted = ({ operation, answer }: Endpoint, admit: Admit): Endpoint => ({
  operation,
  answer: async (c, limits) => {
    c.set(PRINCIPAL, await admit(operation, c));
    return answer(c, limits);
  },
});
