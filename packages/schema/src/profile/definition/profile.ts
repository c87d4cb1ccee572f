import type { ProfileRule } from './rule.js';

/** How a host puts the server's name in front of the tool's before a model sees it. */
export interface HostPrefix {
  readonly before: string;
  readonly after: string;
}

/** What one provider or host takes: dated data, a source beside every rule. */
export interface Profile {
  readonly id: string;
  readonly title: string;
  readonly kind: 'provider' | 'host';
  /** When the rules were taken down. */
  readonly recorded: string;
  /** Present when the host itself prefixes names; the length rule then counts the prefix. */
  readonly hostPrefix?: HostPrefix;
  /** How an optional value is spelled: a type list with null, or OpenAPI's `nullable`. */
  readonly nullStyle: 'type-list' | 'nullable';
  readonly rules: readonly ProfileRule[];
}
