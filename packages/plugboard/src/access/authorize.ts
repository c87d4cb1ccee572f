import { ANONYMOUS_PRINCIPAL, PlugboardError, type Principal, type Role } from '@plugboard/contract';
import { admissionOf } from './route-roles.js';

const needsKey = (): PlugboardError =>
  new PlugboardError('UNAUTHENTICATED', 'Authentication required. Send a key in the Authorization header.', {
    hint: {
      api: 'Send "Authorization: Bearer pb_…". An admin creates keys with POST /v1/keys; on the machine of the hub, the commands `key local` and `key create` print them.',
      cli: 'Set PLUGBOARD_API_KEY. On the machine of the hub, `plugboard key local` prints the key of its owner, and `plugboard key create` creates others.',
    },
  });

/** Somebody who is known, and whose role is not enough. */
export class RoleRefusal extends PlugboardError {
  override readonly name = 'RoleRefusal';
  /** The roles that would be. */
  readonly roles: readonly Role[];

  constructor(principal: Principal, roles: readonly Role[]) {
    super('PERMISSION_DENIED', `The role "${principal.role}" may not do this.`, {
      hint: 'Use a key with a role that is allowed to. docs/access.md has the table.',
      details: { role: principal.role },
    });
    this.roles = roles;
  }
}

/** The caller, if it may use the route. Throws UNAUTHENTICATED or PERMISSION_DENIED; a route that the table lacks is nobody's. */
export const authorize = (principal: Principal | undefined, route: string): Principal => {
  const admission = admissionOf(route);
  if (admission === 'everybody') return principal ?? ANONYMOUS_PRINCIPAL;
  if (principal === undefined) throw needsKey();
  if (admission?.includes(principal.role) !== true) throw new RoleRefusal(principal, admission ?? []);
  return principal;
};
