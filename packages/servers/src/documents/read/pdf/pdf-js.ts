import * as pdfjs from 'unpdf/pdfjs';

/** The part of pdf.js that is used, as it behaves. */
export interface PdfTextItem {
  readonly str: string;
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

export interface PdfPage {
  readonly view: readonly [number, number, number, number];
  getTextContent(options: { includeMarkedContent: boolean }): Promise<{ items: readonly (PdfTextItem | PdfMark)[] }>;
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
  readonly getDocument: (source: Readonly<Record<string, unknown>>) => { readonly promise: Promise<PdfFile> };
}

// The declarations that come with it do not resolve under Node's rules.
const { getDocument } = pdfjs as unknown as PdfJs;

/** Opens a PDF for reading text: nothing in it is evaluated, drawn or fetched. */
export const openPdfFile = (data: Uint8Array): Promise<PdfFile> =>
  getDocument({
    data,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    verbosity: 0,
  }).promise;
