import { randomUUID } from 'node:crypto';
import type { Session } from '../state/session.js';
import type { SseStream } from './sse-stream.js';

/** The resumable streams of the living sessions. */
export class StreamStore {
  readonly #streams = new Map<string, { readonly session: Session; readonly stream: SseStream }>();

  open(session: Session): { readonly id: string; readonly opened: (stream: SseStream) => void } {
    const id = randomUUID();
    return {
      id,
      opened: (stream) => {
        this.#streams.set(id, { session, stream });
        session.onClose(() => this.#streams.delete(id));
      },
    };
  }

  /** The stream that this event belongs to, and the position of the event in it. */
  find(session: Session, lastEventId: string): { readonly stream: SseStream; readonly position: number } | undefined {
    const cut = lastEventId.lastIndexOf('_');
    const found = this.#streams.get(lastEventId.slice(0, cut));
    const position = Number(lastEventId.slice(cut + 1));
    if (found?.session !== session || !Number.isSafeInteger(position)) return undefined;
    return { stream: found.stream, position };
  }
}
