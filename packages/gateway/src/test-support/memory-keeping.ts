import type { KeptEvents, KeptSession, SessionBatch, SessionKeeping } from '@plugboard/contract';

/** Sessions kept in memory, by the rules of a store. */
export class MemoryKeeping implements SessionKeeping {
  readonly sessions = new Map<string, KeptSession>();
  readonly events = new Map<string, KeptEvents[]>();
  readonly batches: SessionBatch[] = [];
  /** Fails everything while it is set. */
  failure: Error | undefined;

  async load(key: string) {
    if (this.failure !== undefined) throw this.failure;
    const session = this.sessions.get(key);
    return session && { session, events: this.events.get(key) ?? [] };
  }

  async claim(key: string, generation: number): Promise<boolean> {
    const session = this.sessions.get(key);
    if (session?.generation !== generation) return false;
    this.sessions.set(key, { ...session, generation: generation + 1 });
    return true;
  }

  async save(batch: SessionBatch): Promise<readonly string[]> {
    if (this.failure !== undefined) throw this.failure;
    this.batches.push(batch);
    const isLost = ({ key, generation }: Pick<KeptSession, 'key' | 'generation'>): boolean =>
      (this.sessions.get(key)?.generation ?? 0) > generation;
    const lost = batch.sessions.filter(isLost).map(({ key }) => key);
    for (const session of batch.sessions) if (!lost.includes(session.key)) this.sessions.set(session.key, session);
    for (const part of batch.events) {
      if (!lost.includes(part.key)) this.events.set(part.key, [...(this.events.get(part.key) ?? []), part]);
    }
    for (const { key, before } of batch.trimmed) {
      this.events.set(
        key,
        (this.events.get(key) ?? []).filter(({ last }) => last >= before),
      );
    }
    for (const one of batch.ended) if (!isLost(one)) this.sessions.delete(one.key);
    return lost;
  }

  async forgetIdle(idleMs: number): Promise<void> {
    for (const [key, session] of this.sessions) if (session.idleMs > idleMs) this.sessions.delete(key);
  }
}
