import * as pdfjs from 'unpdf/pdfjs';

/** The part of pdf.js that is used, as it behaves. */
export interface PdfTextItem {
  readonly str: string;
  readonly fontName: string;
  readonly width: number;
  readonly transform: readonly [number, number, number, number, number, number];
  readonly hasEOL: boolean;
}

export interface PdfMark {
  readonly type: 'beginMarkedContent' | 'beginMarkedContentProps' | 'endMarkedContent';
  readonly id?: string | null;
  readonly tag?: string;
}

export interface PdfStructNode {
  readonly role: string;
  readonly alt?: string;
  readonly children: readonly (PdfStructNode | PdfStructContent)[];
}

export interface PdfStructContent {
  readonly type: string;
  readonly id?: string;
}

export interface PdfAnnotation {
  readonly id: string;
  readonly subtype: string;
  readonly url?: string;
  readonly rect: readonly [number, number, number, number];
}

export interface PdfTextContent {
  readonly items: readonly (PdfTextItem | PdfMark)[];
  /** What is known of each font: `monospace`, `serif` or `sans-serif`. */
  readonly styles: Readonly<Record<string, { readonly fontFamily: string }>>;
}

/** Pixels of a picture; `kind` says how many bits each has: 1, 24 or 32. */
export interface PdfImage {
  readonly width: number;
  readonly height: number;
  readonly kind?: number;
  readonly data: Uint8Array;
}

export interface PdfOperators {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly (readonly unknown[] | null)[];
}

export interface PdfPage {
  /** Degrees by which the page is shown turned. */
  readonly rotate: number;
  readonly objs: { has(id: string): boolean; get(id: string): unknown };
  getOperatorList(): Promise<PdfOperators>;
  readonly view: readonly [number, number, number, number];
  getTextContent(options: { includeMarkedContent: boolean }): Promise<PdfTextContent>;
  getStructTree(): Promise<PdfStructNode | null>;
  getAnnotations(): Promise<readonly PdfAnnotation[]>;
  cleanup(): boolean;
}

export interface PdfFile {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ info: Readonly<Record<string, unknown>> }>;
  destroy(): Promise<void>;
}

interface PdfJs {
  readonly OPS: Readonly<Record<'paintImageXObject' | 'paintImageMaskXObject' | 'paintInlineImageXObject', number>>;
  readonly getDocument: (source: Readonly<Record<string, unknown>>) => { readonly promise: Promise<PdfFile> };
}

// The declarations that come with it do not resolve under Node's rules.
const { getDocument, OPS } = pdfjs as unknown as PdfJs;

export { OPS };

/** Opens a PDF for reading text: nothing in it is evaluated, drawn or fetched. */
export const openPdfFile = (data: Uint8Array): Promise<PdfFile> =>
  getDocument({
    data,
    isEvalSupported: false,
    isOffscreenCanvasSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    verbosity: 0,
  }).promise;
