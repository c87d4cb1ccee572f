import { isJsonObject, type JsonRpcNotification, type RequestId } from '@plugboard/wire';

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
  cancelBy({ method, params }: JsonRpcNotification): boolean {
    if (method !== 'notifications/cancelled' || !isJsonObject(params)) return false;
    const controller = this.#controllers.get(params['requestId'] as RequestId);
    controller?.abort();
    return controller !== undefined;
  }

  cancelAll(): void {
    for (const controller of this.#controllers.values()) controller.abort();
  }
}
