/** A connection, as far as it matters whether it is used. */
interface Used {
  readonly users: number;
  readonly isKept: boolean;
  /** When it was last used, on the clock of performance.now(). */
  readonly usedAt: number;
  /** Its one timer. */
  idle: NodeJS.Timeout | undefined;
}

/** Closes a connection that nobody has used for `idleMs`. There is one timer: it looks whether the link was used meanwhile. */
export const closeWhenIdle = (link: Used, idleMs: number, close: () => void): void => {
  const lookAfter = (ms: number): void => {
    link.idle = setTimeout(() => {
      link.idle = undefined;
      // The user that has it now starts the timer again when it lets go.
      if (link.users > 0 || link.isKept) return;
      const restMs = link.usedAt + idleMs - performance.now();
      if (restMs > 0) lookAfter(restMs);
      else close();
    }, ms);
    link.idle.unref();
  };
  if (link.idle === undefined) lookAfter(idleMs);
};
