import type { PdfFile } from './pdf-js.js';
import type { PdfPageText } from './pdf-page-text.js';
import { OcrEngine } from '../ocr/ocr-engine.js';
import { ocrRuns } from '../ocr/ocr-runs.js';
import type { OcrSettings } from '../../ocr-settings.js';
import { pagePicture } from './page-picture.js';

const MOST_PIXELS = 40_000_000;

/** What became of the pages that hold no text. */
export interface RecognisedPages {
  readonly pages: readonly PdfPageText[];
  readonly recognised: number;
  /** Numbers of the pages that show a picture whose text was not recognised. */
  readonly missed: readonly number[];
}

export interface RecogniseOptions {
  readonly ocr?: OcrSettings | undefined;
  readonly progress: (done: number, total: number) => void;
  readonly now?: () => number;
}

const withRuns = (page: PdfPageText, tsv: string): PdfPageText => {
  const { runs, width } = ocrRuns(tsv);
  const scale = width === 0 ? 1 : page.width / width;
  return {
    ...page,
    runs: runs.map((run) => ({
      ...run,
      x: run.x * scale,
      y: run.y * scale,
      width: run.width * scale,
      size: run.size * scale,
    })),
  };
};

/** Recognises the text of pages that are nothing but a picture, within limits. */
export const recognisePages = async (
  file: PdfFile,
  pages: readonly PdfPageText[],
  { ocr, progress, now = Date.now }: RecogniseOptions,
): Promise<RecognisedPages> => {
  const result = [...pages];
  const missed: number[] = [];
  const started = now();
  let recognised = 0;
  let engine: OcrEngine | undefined;
  for (const [index, text] of pages.entries()) {
    if (text.runs.some((run) => run.text.trim() !== '')) continue;
    const page = await file.getPage(index + 1);
    const picture = await pagePicture(page, MOST_PIXELS);
    page.cleanup();
    if (picture === undefined) continue;
    const mayGoOn = ocr !== undefined && recognised < ocr.maxPages && now() - started < ocr.maxMs;
    if (mayGoOn) engine ??= await OcrEngine.start(ocr.languages);
    const tsv = mayGoOn ? engine?.recognise(picture) : undefined;
    const found = tsv === undefined ? undefined : withRuns(text, tsv);
    if (found === undefined || found.runs.length === 0) {
      missed.push(index + 1);
    } else {
      result[index] = found;
      recognised += 1;
    }
    progress(index + 1, pages.length);
  }
  return { pages: result, recognised, missed };
};
