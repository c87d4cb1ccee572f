import type { DocumentErrorCode } from '../document-error.js';
import type { Conversion, ConvertedDocument } from './convert.js';

/** What the server tells the process that converts. */
export interface ConvertMessage {
  readonly id: number;
  readonly conversion: Conversion;
  /** How large the process may grow; the first message decides. */
  readonly memoryBytes: number;
}

/** What that process answers. */
export type ConverterMessage =
  | { readonly kind: 'progress'; readonly id: number; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly id: number; readonly document: ConvertedDocument }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: DocumentErrorCode;
      readonly message: string;
      readonly hint: string | undefined;
    };
