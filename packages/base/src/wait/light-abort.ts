type Listener = EventListener | { handleEvent(event: Event): unknown };
type EventListener = (event: Event) => unknown;
type ListenerOptions = boolean | { readonly signal?: AbortSignal | undefined };

/**
 * A signal that costs little to make. Those of Node 20 take two microseconds and outlive young collections, with whatever
 * listens to them: with four for each call, collecting garbage took more than the call. It is an `AbortSignal` for
 * everybody who listens or looks at it, but `AbortSignal.any` cannot hear it; `anySignal` can.
 */
class LightSignal implements AbortSignal {
  // Not private names: those cost twice as much to make, and one is made for every call.
  private isAborted = false;
  private why: unknown = undefined;
  /** Most have one listener at a time. */
  private first: Listener | undefined = undefined;
  private others: Listener[] | undefined = undefined;
  private native: AbortController | undefined = undefined;
  onabort: ((event: Event) => unknown) | null = null;

  get aborted(): boolean {
    return this.isAborted;
  }

  get reason(): unknown {
    return this.why;
  }

  throwIfAborted(): void {
    if (this.isAborted) throw this.why;
  }

  addEventListener(type: string, listener: Listener | null, options?: ListenerOptions): void {
    if (type !== 'abort' || listener === null || this.isAborted) return;
    if (this.first === listener || this.others?.includes(listener) === true) return;
    const until = typeof options === 'object' ? options.signal : undefined;
    if (until !== undefined) {
      if (until.aborted) return;
      until.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true });
    }
    if (this.first === undefined && this.others === undefined) this.first = listener;
    else (this.others ??= []).push(listener);
  }

  removeEventListener(type: string, listener: Listener | null): void {
    if (type !== 'abort' || listener === null) return;
    if (this.first === listener) {
      this.first = this.others?.shift();
    } else {
      const at = this.others?.indexOf(listener) ?? -1;
      if (at !== -1) this.others?.splice(at, 1);
    }
    if (this.others?.length === 0) this.others = undefined;
  }

  dispatchEvent(): boolean {
    throw new TypeError('Only its controller aborts a signal.');
  }

  abort(reason: unknown): void {
    if (this.isAborted) return;
    this.isAborted = true;
    this.why = reason;
    const event = new Event('abort');
    Object.defineProperty(event, 'target', { value: this });
    // One listener may remove the next.
    for (let next = this.takeFirst(); next !== undefined; next = this.takeFirst()) this.tell(next, event);
    this.tell(this.onabort, event);
  }

  private takeFirst(): Listener | undefined {
    const { first } = this;
    this.removeEventListener('abort', first ?? null);
    return first;
  }

  /** What one listener throws is no affair of the others. */
  private tell(listener: Listener | null | undefined, event: Event): void {
    try {
      if (typeof listener === 'function') listener.call(this, event);
      else listener?.handleEvent(event);
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }

  /** For what takes only signals of the platform. */
  asNative(): AbortSignal {
    if (this.native === undefined) {
      const native = new AbortController();
      this.native = native;
      if (this.isAborted) native.abort(this.why);
      else this.addEventListener('abort', () => native.abort(this.why));
    }
    return this.native.signal;
  }
}

// Whoever asks whether it is a signal is told that it is.
Object.setPrototypeOf(LightSignal.prototype, AbortSignal.prototype);

/** An `AbortController` whose signal costs little. */
export class LightAbort {
  private readonly light = new LightSignal();

  get signal(): AbortSignal {
    return this.light;
  }

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    this.light.abort(reason);
  }
}

/** The same signal as one of the platform. */
export const nativeSignal = (signal: AbortSignal): AbortSignal =>
  signal instanceof LightSignal ? signal.asNative() : signal;
