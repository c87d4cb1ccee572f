import type { CheckEra } from '@plugboard/contract';
import type { JsonObject } from '../../connection/json.js';
import { enveloped, requestMessage } from '../../session/envelope.js';
import type { Probe } from '../../probe/probe.js';
import type { Session } from '../../session/session.js';

/** A request that every server of the era must answer, and that changes nothing. */
export const plainMethod = (era: CheckEra): string => (era === 'legacy' ? 'ping' : 'server/discover');

/** The control of what is sent in a bad form: a method that this server answers when it is sent in a good one. */
export const answeredMethod = (probe: Probe): Promise<string> =>
  probe.once('answered method', async () => {
    const session = probe.session();
    for (const [capability, method] of [
      ['tools', 'tools/list'],
      ['resources', 'resources/list'],
      ['prompts', 'prompts/list'],
    ] as const) {
      if (session.capabilities[capability] === undefined) continue;
      if ((await session.request(method)).result !== undefined) return method;
    }
    return plainMethod(probe.era);
  });

/** A method that no server has. */
export const UNKNOWN_METHOD = 'plugboard/no-such-method';

/** A proper request of this session as an object, for checks that spoil it or look at everything that comes of it. */
export const properRequest = (
  { era, revision }: Pick<Session, 'era' | 'revision'>,
  id: string | number,
  method: string,
  params?: JsonObject,
): JsonObject => requestMessage(id, method, enveloped(params, { era, revision }, {}));

/** The headers of a modern request whose body does not tell them. */
export const modernHeaders = ({ era, revision }: Session, method: string): Readonly<Record<string, string>> =>
  era === 'modern' ? { 'mcp-protocol-version': revision, 'mcp-method': method } : {};
