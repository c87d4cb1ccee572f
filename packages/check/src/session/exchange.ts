export interface HttpRecipe {
  readonly kind: 'http';
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The body of the initialize request that must come first, in the legacy era. */
  readonly opening: string | undefined;
}

/** How somebody else would send the same: enough to write a line of shell from. */
export type Recipe =
  | HttpRecipe
  /** Requests that were on their way at the same time. */
  | { readonly kind: 'several'; readonly requests: readonly HttpRecipe[] }
  | {
      readonly kind: 'stdio';
      readonly lines: readonly string[];
      /** The process ended: how it ends is to be shown. */
      readonly ends?: boolean;
    }
  | { readonly kind: 'sse'; readonly lines: readonly string[] };

/** One thing sent and what came of it, for the evidence of a finding. */
export interface Exchange {
  readonly sent: string;
  readonly received: string;
  readonly connection: number;
  readonly recipe: Recipe | undefined;
}

/** The last of several exchanges: sent alone it shows nothing, so the check itself has to be repeated. */
export const endOfSequence = (exchange: Exchange): Exchange => ({ ...exchange, recipe: undefined });
