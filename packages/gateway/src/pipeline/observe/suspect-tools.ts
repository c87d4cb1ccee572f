import { McpClientError } from '@plugboard/client';
import type { ServerId } from '@plugboard/contract';
import { isJsonObject, RPC_CODE } from '@plugboard/wire';
import type { CallStep } from '../../call/step.js';
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
export const suspectTools =
  (suspect: SuspectTools): CallStep =>
  async (call, next) => {
    if (call.method !== 'tools/call' || call.route?.kind !== 'upstream') return next(call);
    const { id } = call.route.server;
    const tell = (): void => {
      call.notes?.flow?.decide('tool list to be read again');
      suspect(id);
    };
    try {
      const result = await next(call);
      if (isUnknownResult(result)) tell();
      return result;
    } catch (thrown) {
      if (isUnknownError(thrown)) tell();
      throw thrown;
    }
  };
