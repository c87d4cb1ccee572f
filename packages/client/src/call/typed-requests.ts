import type { JsonObject } from '@plugboard/wire';
import type { RequestOptions } from './request-options.js';
import { listObjects, requestObject, type Requester } from './request-object.js';

export interface CompletionParams extends JsonObject {
  readonly ref: JsonObject;
  readonly argument: { readonly name: string; readonly value: string };
}

/** What can be asked of a server besides its tools; results are objects as they came. */
export abstract class TypedRequests implements Requester {
  abstract request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;

  listResources(options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    return listObjects(this, 'resources/list', 'resources', options);
  }

  listResourceTemplates(options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    return listObjects(this, 'resources/templates/list', 'resourceTemplates', options);
  }

  readResource(uri: string, options: RequestOptions = {}): Promise<JsonObject> {
    return requestObject(this, 'resources/read', { uri }, options);
  }

  listPrompts(options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    return listObjects(this, 'prompts/list', 'prompts', options);
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    return requestObject(this, 'prompts/get', { name, arguments: args }, options);
  }

  complete(params: CompletionParams, options: RequestOptions = {}): Promise<JsonObject> {
    return requestObject(this, 'completion/complete', params, options);
  }
}
