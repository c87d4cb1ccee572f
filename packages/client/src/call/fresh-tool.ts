import type { ToolDefinition } from '@plugboard/contract';
import { RPC_CODE } from '@plugboard/wire';
import { McpClientError } from '../error/client-error.js';

/** The server found that headers which mirror parameters do not fit the arguments. */
export const isHeaderMismatch = (thrown: unknown): boolean =>
  thrown instanceof McpClientError && thrown.rpc?.code === RPC_CODE.headerMismatch;

/**
 * Sends a call to a tool. When the schema of the tool has changed behind our back, its parameters are mirrored into other
 * headers: then the tools are listed again, and the call is retried with the new definition.
 */
export const withFreshTool = async <Result>(
  name: string,
  listTools: () => Promise<readonly ToolDefinition[]>,
  send: { first(): Promise<Result>; again(tool: ToolDefinition | undefined): Promise<Result> },
): Promise<Result> => {
  try {
    return await send.first();
  } catch (thrown) {
    if (!isHeaderMismatch(thrown)) throw thrown;
    const tools = await listTools();
    return send.again(tools.find((candidate) => candidate.name === name));
  }
};
