import type { Root } from 'mdast';
import type { Limits } from '../limits.js';
import type { OcrSettings } from '../ocr-settings.js';

/** A picture that stood in the document. */
export interface ExtractedImage {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A document as every writer takes it: a Markdown syntax tree, whatever it was before. */
export interface DocumentContent {
  readonly tree: Root;
  readonly title?: string | undefined;
  readonly pages?: number | undefined;
  readonly images: readonly ExtractedImage[];
  /** What was left out, for people. */
  readonly warnings: readonly string[];
}

export interface ReadOptions {
  readonly limits: Limits;
  /** Whether pictures are wanted. */
  readonly images: boolean;
  /** How text in pictures is recognised, where that is wanted. */
  readonly ocr?: OcrSettings | undefined;
  readonly progress: (done: number, total: number) => void;
}

export type DocumentReader = (bytes: Uint8Array, options: ReadOptions) => Promise<DocumentContent> | DocumentContent;
