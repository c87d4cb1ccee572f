import type { Limits } from '../limits.js';
import type { OcrSettings } from '../ocr-settings.js';
import type { UrlPolicy } from '../source/url-policy.js';

/** What the flags of the server come to. */
export interface DocumentsSettings {
  readonly limits: Limits;
  readonly urlPolicy: UrlPolicy;
  readonly ocr: OcrSettings;
  /** How long one conversion, and one fetch, may take. */
  readonly timeoutMs: number;
}
