import { isJsonObject, type JsonObject, type JsonRpcNotification, type RequestId } from '@plugboard/wire';

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** @param params the notification's own params, for those who pass them on. */
export type ProgressListener = (progress: Progress, params: JsonObject) => void;

export interface ToldProgress {
  readonly token: unknown;
  readonly progress: Progress;
  readonly params: JsonObject;
}

/** The progress that a notification tells of; undefined when it is about something else. */
export const progressIn = ({ method, params }: JsonRpcNotification): ToldProgress | undefined => {
  if (method !== 'notifications/progress' || !isJsonObject(params)) return undefined;
  const { progressToken: token, progress, total, message } = params;
  return {
    token,
    params,
    progress: {
      progress: typeof progress === 'number' ? progress : 0,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    },
  };
};

/** Those who want to hear of progress also after the answer, as that of a task comes: on any stream of the server. */
export class LateProgress {
  readonly #listeners = new Map<unknown, ProgressListener>();

  get size(): number {
    return this.#listeners.size;
  }

  keep(token: RequestId, listener: ProgressListener, until: AbortSignal): void {
    if (until.aborted) return;
    this.#listeners.set(token, listener);
    until.addEventListener('abort', () => this.#listeners.delete(token), { once: true });
  }

  /** False when nobody waits for it. */
  take(message: JsonRpcNotification): boolean {
    const told = progressIn(message);
    const listener = told && this.#listeners.get(told.token);
    if (told !== undefined) listener?.(told.progress, told.params);
    return listener !== undefined;
  }
}
