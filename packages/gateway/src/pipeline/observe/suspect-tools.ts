import { McpClientError } from '@plugboard/client';
import type { ServerId } from '@plugboard/contract';
import { isJsonObject, RPC_CODE } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import { afterwards, type CallStep } from '../../call/step.js';
import { textAt } from '../../rpc/members.js';

/** Hears that a server does not know a tool that it once listed. */
export type SuspectTools = (id: ServerId) => void;

/** How servers say so; the specification gives no code of its own. */
const UNKNOWN_TOOL =
  /\b(?:unknown|no such|unrecognized) tool\b|\btool\b.{0,200}\b(?:not found|does not exist|not registered|not available)\b/isu;

const MAX_CHARS = 1000;

export const tellsOfUnknownTool = (text: string): boolean => UNKNOWN_TOOL.test(text.slice(0, MAX_CHARS));

const isUnknownError = (thrown: unknown): boolean => {
  const rpc = thrown instanceof McpClientError ? thrown.rpc : undefined;
  if (rpc === undefined) return false;
  const isOfArguments = rpc.code === RPC_CODE.invalidParams || rpc.code === RPC_CODE.methodNotFound;
  return isOfArguments && tellsOfUnknownTool(rpc.message);
};

const isUnknownResult = (result: unknown): boolean => {
  if (!isJsonObject(result) || result['isError'] !== true || !Array.isArray(result['content'])) return false;
  const [block] = result['content'] as readonly unknown[];
  return tellsOfUnknownTool((isJsonObject(block) ? textAt(block, 'text') : undefined) ?? '');
};

/** A tool that is listed and that its server does not know: the list is older than the server. */
export const suspectTools = (suspect: SuspectTools): CallStep => {
  const tell = ({ method, route, notes }: McpCall): void => {
    if (method !== 'tools/call' || route?.kind !== 'upstream') return;
    notes?.flow?.decide('tool list to be read again');
    suspect(route.server.id);
  };
  return afterwards({
    answered: (call, result) => {
      if (isUnknownResult(result)) tell(call);
      return result;
    },
    failed: (call, thrown) => {
      if (isUnknownError(thrown)) tell(call);
      throw thrown;
    },
  });
};
