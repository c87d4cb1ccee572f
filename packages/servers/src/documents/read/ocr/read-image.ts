import { DocumentError } from '../../document-error.js';
import { FontSizes } from '../layout/font-sizes.js';
import { looksBlocks } from '../layout/looks-blocks.js';
import { linesOf } from '../layout/text-line.js';
import { unfoldColumns } from '../layout/unfold-columns.js';
import type { DocumentReader } from '../../tree/document-reader.js';
import { OcrEngine } from './ocr-engine.js';
import { ocrRuns } from './ocr-runs.js';

/** The text that a picture shows. */
export const readImage: DocumentReader = async (bytes, { ocr }) => {
  if (ocr === undefined) {
    throw new DocumentError('EMPTY', 'The text of a picture must be recognised.', 'Call again with ocr: true.');
  }
  const engine = await OcrEngine.start(ocr.languages);
  const tsv = engine.recognise(bytes);
  if (tsv === undefined) {
    throw new DocumentError('DAMAGED', 'The picture cannot be read.', 'Save it as PNG or JPEG and try again.');
  }
  const { runs, width } = ocrRuns(tsv);
  const lines = unfoldColumns(linesOf(runs));
  return {
    tree: { type: 'root', children: [...looksBlocks(lines, new FontSizes(runs), width)] },
    images: [],
    warnings: ['The text was recognised in a picture: single letters may be wrong.'],
  };
};
