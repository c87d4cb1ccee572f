import { isJsonObject, type JsonRpcNotification, type RequestId } from '@plugboard/wire';

/** The id of the request that a message takes back; undefined when it does something else. */
export const cancelledId = ({ method, params }: JsonRpcNotification): RequestId | undefined =>
  method === 'notifications/cancelled' && isJsonObject(params) ? (params['requestId'] as RequestId) : undefined;

/** Requests of a client that it may take back by their id. */
export class RequestsUnderWay {
  readonly #controllers = new Map<RequestId, AbortController>();

  /** The signal aborts when the request is taken back; `end` says that it is over. */
  begin(id: RequestId): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    return {
      signal: controller.signal,
      end: () => {
        if (this.#controllers.get(id) === controller) this.#controllers.delete(id);
      },
    };
  }

  /** Takes a request back if that is what this message wants; false when it is none of these. */
  cancelBy(message: JsonRpcNotification): boolean {
    const id = cancelledId(message);
    const controller = id === undefined ? undefined : this.#controllers.get(id);
    controller?.abort();
    return controller !== undefined;
  }

  has(id: RequestId): boolean {
    return this.#controllers.has(id);
  }

  cancelAll(): void {
    for (const controller of this.#controllers.values()) controller.abort();
  }
}
