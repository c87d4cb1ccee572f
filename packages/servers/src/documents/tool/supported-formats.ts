import { z } from 'zod';
import { DOCUMENT_FORMATS, FORMAT_NAMES } from '../format/document-format.js';
import type { DocumentsSettings } from './documents-settings.js';
import { canRecognise } from '../read/ocr/ocr-engine.js';
import { OUTPUT_FORMATS } from '../write/write-document.js';

export const formatsOutput = z.object({
  formats: z.array(
    z.object({
      name: z.enum(FORMAT_NAMES),
      title: z.string(),
      extensions: z.array(z.string()),
      media_types: z.array(z.string()),
      content_encoding: z.enum(['base64', 'text']).describe('How to pass it to convert_document as `content`.'),
      images: z.boolean().describe('Whether its pictures can be returned.'),
    }),
  ),
  output_formats: z.array(z.enum(OUTPUT_FORMATS)),
  ocr: z.boolean().describe('Whether text in pictures can be recognised: the packages for it are installed.'),
  max_bytes: z.number().int(),
  max_pages: z.number().int(),
});

export const supportedFormats = ({ limits, ocr }: DocumentsSettings): z.infer<typeof formatsOutput> => ({
  formats: FORMAT_NAMES.map((name) => {
    const { title, extensions, mediaTypes, binary, images } = DOCUMENT_FORMATS[name];
    return {
      name,
      title,
      extensions: [...extensions],
      media_types: [...mediaTypes],
      content_encoding: binary ? 'base64' : 'text',
      images,
    };
  }),
  output_formats: [...OUTPUT_FORMATS],
  ocr: canRecognise(ocr.languages),
  max_bytes: limits.inputBytes,
  max_pages: limits.pages,
});
