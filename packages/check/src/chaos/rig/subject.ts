/** Where the server is, seen through the fault proxy. */
export type FaultyPlace =
  | {
      readonly url: string;
      readonly transport: 'streamable-http' | 'sse';
      /** What the server demands of each request, such as a token. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly command: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string | undefined;
    };

/** What came of one call. */
export type Fate =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'failed'; readonly why: string };

export interface ChaosCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly deadlineMs: number;
}

/** A client under examination: calls tools of the server that it was opened for, several at the same time. */
export interface ClientUnderTest {
  call(call: ChaosCall): Promise<Fate>;
  close(): Promise<void>;
}

/** A hub under examination: where it offers the server that it was opened for. */
export interface HubUnderTest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  close(): Promise<void>;
}

/** Who has to recover. */
export type ChaosSubject =
  | { readonly kind: 'server' }
  | { readonly kind: 'hub'; readonly open: (place: FaultyPlace) => Promise<HubUnderTest> }
  | { readonly kind: 'client'; readonly open: (place: FaultyPlace) => Promise<ClientUnderTest> };
