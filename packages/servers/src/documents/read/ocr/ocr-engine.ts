import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DocumentError } from '../../document-error.js';

/** The part of the Tesseract engine that is used. */
interface TesseractApi {
  Init(path: null, languages: string, mode: number): number;
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  Clear(): void;
}

interface TesseractModule {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => TesseractApi;
}

type StartTesseract = (options: Readonly<Record<string, unknown>>) => Promise<TesseractModule>;

const ENGINE = 'tesseract.js-core/tesseract-core-simd-lstm.js';
const LSTM_ONLY = 1;
const INPUT = '/input';

const { resolve } = createRequire(import.meta.url);

const languageFile = (language: string): string =>
  `@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`;

const notInstalled = (languages: readonly string[]): DocumentError => {
  const packages = ['tesseract.js-core', ...languages.map((language) => `@tesseract.js-data/${language}`)];
  return new DocumentError(
    'NOT_SUPPORTED',
    'The optional packages that recognise text in pictures are not installed.',
    `Install them where the server is installed: npm install ${packages.join(' ')}`,
  );
};

/** Whether everything that recognising text in these languages takes is installed. */
export const canRecognise = (languages: readonly string[]): boolean => {
  try {
    for (const name of [ENGINE, ...languages.map(languageFile)]) resolve(name);
    return true;
  } catch {
    return false;
  }
};

/** Recognises text in pictures, one after the other. The engine and its languages come from installed packages alone. */
export class OcrEngine {
  readonly #module: TesseractModule;
  readonly #api: TesseractApi;

  private constructor(module: TesseractModule, api: TesseractApi) {
    this.#module = module;
    this.#api = api;
  }

  static async start(languages: readonly string[]): Promise<OcrEngine> {
    if (!canRecognise(languages)) throw notInstalled(languages);
    const { default: startTesseract } = (await import(ENGINE)) as { default: StartTesseract };
    const silent = (): void => undefined;
    const module = await startTesseract({ print: silent, printErr: silent });
    for (const language of languages) {
      const packed = await readFile(resolve(languageFile(language)));
      module.FS.writeFile(`${language}.traineddata`, await promisify(gunzip)(packed));
    }
    const api = new module.TessBaseAPI();
    if (api.Init(null, languages.join('+'), LSTM_ONLY) !== 0) {
      throw new DocumentError('NOT_SUPPORTED', 'Text recognition cannot be started.');
    }
    return new OcrEngine(module, api);
  }

  /** Words with their places, as tab-separated values; undefined when the picture cannot be read. */
  recognise(image: Uint8Array): string | undefined {
    this.#module.FS.writeFile(INPUT, image);
    try {
      if (this.#api.SetImageFile(orientationOf(image), 0) === 1) return undefined;
      this.#api.Recognize(null);
      return this.#api.GetTSVText(0);
    } finally {
      // The next picture must never be answered with the words of this one.
      this.#api.Clear();
      this.#module.FS.unlink(INPUT);
    }
  }
}

const TURNED = /\u0001\u0012\u0000\u0003\u0000\u0000\u0000\u0001\u0000([\u0001-\u0008])/u;

/** How a camera held the picture, by its EXIF data; 1 is upright. */
const orientationOf = (image: Uint8Array): number => {
  const head = Buffer.from(image.subarray(0, 1000)).toString('latin1');
  return TURNED.exec(head)?.[1]?.charCodeAt(0) ?? 1;
};
