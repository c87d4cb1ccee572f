/** What a handler may touch of the process that it runs in. */
export interface FakeHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  stderr(text: string): void;
  /** Ends abruptly: a real process dies, a fake in the test's own process cuts all its connections. */
  crash(): void;
}
