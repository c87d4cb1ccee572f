/** What a process asks of one limit that several processes share. */
export interface LimitAsk {
  /** Whom the limit counts for, the same in every process. */
  readonly subject: string;
  /** Calls per minute, as a bucket of tokens. */
  readonly rate?: RateAsk | undefined;
  /** Calls at the same time. */
  readonly places?: PlacesAsk | undefined;
}

export interface RateAsk {
  readonly perMinute: number;
  /** How many tokens the bucket holds. */
  readonly burst: number;
  /** Tokens that the process took without asking; negative when it returns some. */
  readonly charge: number;
  readonly want: number;
}

export interface PlacesAsk {
  readonly limit: number;
  /** Calls that run now, also beyond what was granted. */
  readonly running: number;
  readonly want: number;
}

export interface LimitGrant {
  readonly subject: string;
  readonly tokens: number;
  /** What is left in the bucket; negative when processes took more than there was. */
  readonly level: number;
  /** How many calls may run in the process at a time, for `PLACES_MS`. */
  readonly places: number;
}

/** Places that a process does not ask for again return to the others after this time. */
export const PLACES_MS = 10_000;
