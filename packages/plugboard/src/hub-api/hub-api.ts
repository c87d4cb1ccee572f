import type { PlugboardError } from '@plugboard/contract';

export type HubMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface HubRequestOptions {
  readonly body?: unknown;
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long the answer may take; two minutes when left out. */
  readonly deadlineMs?: number | undefined;
  /** What it means when the answer takes longer; the hub is not reached when left out. */
  readonly tooSlow?: (() => PlugboardError) | undefined;
  /** Sent although this program was told to stop. */
  readonly evenWhenStopping?: true;
}

export interface HubAnswer {
  readonly status: number;
  /** The decoded body; undefined when it was empty. */
  readonly json: unknown;
}

/** Where the answers come from. */
export type HubPlace = { readonly kind: 'running'; readonly url: string } | { readonly kind: 'in-process' };

/** The hub as commands see it: a running one, or one composed in this process when none runs. */
export interface HubApi {
  readonly place: HubPlace;
  /** Rejects with a PlugboardError when the hub refuses, or cannot be reached. */
  request(method: HubMethod, path: string, options?: HubRequestOptions): Promise<HubAnswer>;
  /** The answer as it comes, for those who read its body themselves. Rejects as `request` does. */
  open(method: HubMethod, path: string, options?: HubRequestOptions): Promise<Response>;
  /** The messages of an event stream, as they come. With a body, the request is a POST. */
  events(path: string, options?: HubRequestOptions): AsyncIterable<unknown>;
  close(): Promise<void>;
}
