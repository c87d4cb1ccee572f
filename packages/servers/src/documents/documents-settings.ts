import type { Limits } from './limits.js';
import type { UrlPolicy } from './source/url-policy.js';

/** What the flags of the server come to. */
export interface DocumentsSettings {
  readonly limits: Limits;
  readonly urlPolicy: UrlPolicy;
  /** How long one conversion, and one fetch, may take. */
  readonly timeoutMs: number;
}
