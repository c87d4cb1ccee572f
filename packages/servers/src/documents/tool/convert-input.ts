import { z } from 'zod';
import { FORMAT_NAMES } from '../format/document-format.js';
import { OUTPUT_FORMATS } from '../write/write-document.js';

export const convertInput = z.strictObject({
  input_path: z
    .string()
    .max(4096)
    .optional()
    .describe('Path of the document inside an allowed directory, for example "reports/2026.pdf".'),
  content: z
    .string()
    .optional()
    .describe('The document itself: text as it is, binary formats as base64. Needs format.'),
  url: z.string().max(8192).optional().describe('Public http or https address of the document.'),
  format: z
    .enum(FORMAT_NAMES)
    .optional()
    .describe('Format of content. For input_path and url it is detected; a format that does not match is rejected.'),
  output_format: z.enum(OUTPUT_FORMATS).default('markdown').describe('What to convert to.'),
  tables: z.boolean().default(true).describe('Keep tables as tables; otherwise their rows become lines.'),
  images: z
    .boolean()
    .default(false)
    .describe('Also return the pictures in a document; not supported for PDF, XLSX, ODS and images.'),
  ocr: z
    .boolean()
    .default(true)
    .describe('Recognise the text of images and of PDF pages that hold no text, such as scans.'),
});

export type ConvertInput = z.infer<typeof convertInput>;

export const convertOutput = z.object({
  uri: z.string().describe('Resource under which the converted document can be read again.'),
  format: z.enum(FORMAT_NAMES),
  output_format: z.enum(OUTPUT_FORMATS),
  title: z.string().nullable(),
  pages: z.number().int().nullable().describe('Pages, slides, sheets or chapters, where the format has them.'),
  characters: z.number().int(),
  truncated: z.boolean().describe('Whether the text in this answer is only the beginning; the resource has all of it.'),
  images: z.array(z.string()).describe('Names of the pictures that follow the text.'),
  warnings: z.array(z.string()).describe('What was left out.'),
});

export type ConvertOutput = z.infer<typeof convertOutput>;
