import type { World } from '../behaviour/world.js';
import { isModernRevision } from '../definition/era.js';
import { BAD_SESSION, RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';

type Headers = Readonly<Record<string, string>>;

/** The session that a legacy HTTP request names; none when the server keeps none. */
export const sessionFor = (world: World, headers: Headers): Session | undefined => {
  if (world.options.stateless === true) return undefined;
  const id = headers['mcp-session-id'];
  if (id === undefined) {
    throw new RpcError(BAD_SESSION, 'Bad Request: Mcp-Session-Id header is required', { httpStatus: 400 });
  }
  const session = world.sessions.find(id);
  if (session === undefined) throw new RpcError(-32_001, 'Session not found', { httpStatus: 404 });
  return session;
};

/** A revision in the header that is not spoken here is refused before the message is looked at. */
export const checkLegacyVersion = (world: World, headers: Headers): void => {
  const version = headers['mcp-protocol-version'];
  if (version === undefined) return;
  const spoken = world.revisions.filter((revision) => !isModernRevision(revision));
  if (spoken.includes(version)) return;
  throw new RpcError(BAD_SESSION, `Bad Request: Unsupported protocol version (supported: ${spoken.join(', ')})`, {
    httpStatus: 400,
  });
};
