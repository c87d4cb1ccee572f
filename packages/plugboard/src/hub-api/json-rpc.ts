import { PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import { rpcAnswerError } from './answer-error.js';
import type { HubApi, HubRequestOptions } from './hub-api.js';

const rpcAnswer = z.union([
  z.looseObject({ error: z.unknown().refine((error) => error !== undefined) }),
  z.looseObject({ result: z.record(z.string(), z.unknown()) }),
]);

export interface RpcCall {
  readonly server: string;
  /** The endpoint of a server unless this says otherwise. */
  readonly kind?: 'servers' | 'toolsets' | undefined;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** One JSON-RPC request to one registered server, through the hub. */
export const rpc = async (
  hub: HubApi,
  { server, kind = 'servers', method, params }: RpcCall,
  options: Omit<HubRequestOptions, 'body'> = {},
): Promise<Readonly<Record<string, unknown>>> => {
  const { json } = await hub.request('POST', `/${kind}/${encodeURIComponent(server)}/mcp`, {
    ...options,
    body: { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) },
  });
  const parsed = rpcAnswer.safeParse(json);
  if (!parsed.success) {
    throw new PlugboardError('UPSTREAM_PROTOCOL', `The answer to ${method} is not a JSON-RPC answer.`, {
      hint: 'Check that the hub and this program are of the same version.',
    });
  }
  if ('error' in parsed.data) throw rpcAnswerError(parsed.data.error);
  return parsed.data.result;
};

const MAX_PAGES = 1000;

/** Every page of a list method, as one list. */
const rpcList = async (hub: HubApi, call: RpcCall, member: string): Promise<readonly unknown[]> => {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = { ...call.params, ...(cursor === undefined ? {} : { cursor }) };
    const result = await rpc(hub, { ...call, params });
    const listed = result[member];
    if (Array.isArray(listed)) entries.push(...(listed as readonly unknown[]));
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === '' || next === cursor) break;
    cursor = next;
  }
  return entries;
};

/** A server that has no such list says so with METHOD_NOT_FOUND: for a reader that is an empty list. */
export const rpcListOrNone = async (hub: HubApi, call: RpcCall, member: string): Promise<readonly unknown[]> => {
  try {
    return await rpcList(hub, call, member);
  } catch (thrown) {
    if (thrown instanceof PlugboardError && thrown.code === 'METHOD_NOT_FOUND') return [];
    throw thrown;
  }
};
