import {
  buildRequest,
  encodeParamHeaders,
  isJsonObject,
  type JsonObject,
  type JsonRpcRequest,
  readParamHeaders,
  RPC_CODE,
} from '@plugboard/wire';
import type { Fields, HubEndpoint } from './hub-endpoint.js';

const paramsOf = ({ params }: JsonRpcRequest): JsonObject => (isJsonObject(params) ? params : {});

/** Over HTTP some arguments of a call are repeated in fields; which, the definition of the tool says. */
export class ParamFields {
  readonly #schemas = new Map<unknown, unknown>();

  of(request: JsonRpcRequest): Fields {
    const { name, arguments: given } = paramsOf(request);
    const annotated = readParamHeaders(this.#schemas.get(name));
    return request.method === 'tools/call' && annotated.valid ? encodeParamHeaders(annotated.headers, given) : {};
  }

  /** Does this answer say that fields are missing which can be learnt? */
  areMissing({ method, id }: JsonRpcRequest, text: string): boolean {
    if (method !== 'tools/call' || !text.includes(String(RPC_CODE.headerMismatch))) return false;
    const answer: unknown = JSON.parse(text);
    const error = isJsonObject(answer) && answer['id'] === id ? answer['error'] : undefined;
    return isJsonObject(error) && error['code'] === RPC_CODE.headerMismatch;
  }

  async learn(hub: HubEndpoint, request: JsonRpcRequest): Promise<void> {
    const { _meta: meta, name } = paramsOf(request);
    const response = await hub.post(buildRequest(`${String(request.id)} tools`, 'tools/list', { _meta: meta }));
    const body: unknown = await response.json();
    const result = isJsonObject(body) && isJsonObject(body['result']) ? body['result'] : {};
    const tools: readonly unknown[] = Array.isArray(result['tools']) ? result['tools'] : [];
    const tool = tools.find((each) => isJsonObject(each) && each['name'] === name);
    this.#schemas.set(name, isJsonObject(tool) ? tool['inputSchema'] : undefined);
  }
}
