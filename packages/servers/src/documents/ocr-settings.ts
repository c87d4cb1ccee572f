/** How text in pictures is recognised. */
export interface OcrSettings {
  /** Of Tesseract, for example `eng`. */
  readonly languages: readonly string[];
  /** Most pages of one document. */
  readonly maxPages: number;
  /** How long the pages of one document may take together; those that are left then are named. */
  readonly maxMs: number;
}
