import type { JsonRpcResponse, RequestId } from '@plugboard/wire';

/**
 * Is this the answer to our request, on a stream that only carries answers to it?
 * Some servers turn the number into a text; an error may lack the id that its server could not read.
 */
export const answersRequest = (response: JsonRpcResponse, id: RequestId): boolean =>
  response.id === undefined || response.id === null ? 'error' in response : String(response.id) === String(id);
