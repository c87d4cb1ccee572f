import { isModernOnlyCode, RPC_CODE } from '@plugboard/wire';
import { McpClientError } from '../error/client-error.js';

const FINAL_STATUS: ReadonlySet<unknown> = new Set([502, 503, 504]);

/**
 * Does the failure of a greeting look like a server that does not know it? A failure that has another cause says nothing
 * about eras, and trying the other one would only hide it.
 */
export const looksLikeOtherEra = (error: McpClientError): boolean => {
  if (error.rpc !== undefined) return true;
  switch (error.code) {
    case 'UPSTREAM_WRONG_URL':
    case 'UPSTREAM_PROTOCOL':
    case 'UPSTREAM_NOT_MCP':
    case 'UPSTREAM_CLOSED':
    case 'PROCESS_EXITED':
      return true;
    case 'UPSTREAM_UNAVAILABLE':
      return !FINAL_STATUS.has(error.details?.['http_status']);
    default:
      return false;
  }
};

/** `refused`: the server said that it does not speak the era. `doubtful`: it may also have had another reason. */
export type EraRefusal = 'refused' | 'doubtful';

/** What the failure of a legacy greeting says about a server that is known to be modern; undefined: nothing. */
export const legacyRefusal = (thrown: unknown): EraRefusal | undefined => {
  if (!(thrown instanceof McpClientError) || !looksLikeOtherEra(thrown)) return undefined;
  const code = thrown.rpc?.code;
  return code !== undefined && (code === RPC_CODE.methodNotFound || isModernOnlyCode(code)) ? 'refused' : 'doubtful';
};
