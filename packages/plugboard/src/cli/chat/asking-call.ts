import { isJsonObject } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { encodeHeaderValue, LATEST_MODERN, META_KEY } from '@plugboard/wire';
import { VERSION } from '../../process/version.js';
import type { HubApi } from '../../hub-api/hub-api.js';
import { rpc } from '../../hub-api/json-rpc.js';

type Json = Readonly<Record<string, unknown>>;

/** Answers what a server asks while it works on a call. */
export interface ServerAnswers {
  /** What may be asked, as the capabilities of a client. */
  readonly capabilities: Json;
  readonly answer: (server: string, method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
}

export interface AskingCall {
  readonly kind: 'servers' | 'toolsets';
  readonly name: string;
  readonly tool: string;
  readonly args: unknown;
}

export interface AskingOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

const MOST_ROUNDS = 10;

/**
 * Calls a tool whose server may ask something back: the hub then answers with the questions, and the call is sent again with
 * the answers.
 */
export const askingCall = async (
  api: HubApi,
  { kind, name, tool, args }: AskingCall,
  { capabilities, answer }: ServerAnswers,
  options: AskingOptions,
): Promise<Json> => {
  const params = {
    name: tool,
    arguments: args,
    _meta: {
      [META_KEY.protocolVersion]: LATEST_MODERN,
      [META_KEY.clientInfo]: { name: 'plugboard-chat', version: VERSION },
      [META_KEY.clientCapabilities]: capabilities,
    },
  };
  const headers = {
    'mcp-protocol-version': LATEST_MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': encodeHeaderValue(tool),
  };
  let answers: Json = {};
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const call = { server: name, kind, method: 'tools/call', params: { ...params, ...answers } };
    const result = await rpc(api, call, { ...options, headers });
    if (result['resultType'] !== 'input_required') return result;
    const { inputRequests, requestState } = result;
    const responses: Record<string, unknown> = {};
    for (const [key, asked] of Object.entries(isJsonObject(inputRequests) ? inputRequests : {})) {
      const { method, params: given } = isJsonObject(asked) ? asked : {};
      responses[key] = await answer(name, String(method), given, options.signal);
    }
    answers = { inputResponses: responses, ...(typeof requestState === 'string' ? { requestState } : {}) };
  }
  throw new PlugboardError('UPSTREAM_PROTOCOL', `${name} asked back more than ${MOST_ROUNDS} times.`);
};
