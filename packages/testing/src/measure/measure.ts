export interface Measured<T> {
  readonly value: T;
  readonly ms: number;
  /** Of this process while the block ran. */
  readonly cpuMs: number;
  /** How much more memory this process held afterwards. */
  readonly rssGrowth: number;
}

/** Runs a block and tells what it took. */
export const measure = async <T>(block: () => Promise<T> | T): Promise<Measured<T>> => {
  const [cpu, rss] = [process.cpuUsage(), process.memoryUsage.rss()];
  const startedAt = performance.now();
  const value = await block();
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { value, ms, cpuMs: (user + system) / 1_000, rssGrowth: process.memoryUsage.rss() - rss };
};
