import type {
  OptionValue,
  OptionValues,
  OpenContext,
  ServerParts,
  ServerProgram,
} from '../../serve/command-line/server-program.js';
import { UsageError } from '../../serve/command-line/usage-error.js';
import { VERSION } from '../../version.js';
import { ConverterPool } from '../convert/converter-pool.js';
import { DocumentError } from '../document-error.js';
import { makeDocumentsServer } from './documents-server.js';
import type { DocumentsSettings } from '../tool/documents-settings.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { canRecognise } from '../read/ocr/ocr-engine.js';
import { AllowedDirectories } from '../source/allowed-directories.js';
import { URL_MODES, type UrlMode } from '../source/url-policy.js';
import { ConvertedStore } from '../store/converted-store.js';

const MIB = 1024 * 1024;
const MOST_MIB = 200;

const texts = (value: OptionValue): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const wholeNumber = (
  name: string,
  value: OptionValue,
  [lowest, highest]: readonly [number, number],
): number | undefined => {
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/u.test(String(value)) ? Number(value) : Number.NaN;
  if (number >= lowest && number <= highest) return number;
  throw new UsageError(`--${name} must be a whole number from ${lowest} to ${highest}.`);
};

const urlMode = (value: OptionValue): UrlMode => {
  const mode = URL_MODES.find((known) => known === (value ?? 'public'));
  if (mode === undefined) throw new UsageError(`--urls must be one of ${URL_MODES.join(', ')}.`);
  return mode;
};

const ocrLanguages = (named: readonly string[]): readonly string[] => {
  const languages = named.length === 0 ? ['eng'] : named;
  const odd = languages.find((language) => !/^[a-z]{3}(?:_[a-z]{2,8})?$/u.test(language));
  if (odd !== undefined) throw new UsageError(`--ocr-language must be a language of Tesseract, such as eng or deu.`);
  if (named.length > 0 && !canRecognise(languages)) {
    throw new UsageError(
      `--ocr-language: install ${['tesseract.js-core', ...languages.map((name) => `@tesseract.js-data/${name}`)].join(' ')} first.`,
    );
  }
  return languages;
};

export const documentsSettings = (values: OptionValues): DocumentsSettings => {
  const megabytes = wholeNumber('max-size', values['max-size'], [1, MOST_MIB]);
  const pages = wholeNumber('max-pages', values['max-pages'], [1, 100_000]);
  const seconds = wholeNumber('timeout', values['timeout'], [1, 600]) ?? 60;
  return {
    limits: {
      ...DEFAULT_LIMITS,
      inputBytes: megabytes === undefined ? DEFAULT_LIMITS.inputBytes : megabytes * MIB,
      pages: pages ?? DEFAULT_LIMITS.pages,
    },
    urlPolicy: {
      mode: urlMode(values['urls']),
      hosts: texts(values['allow-url-host']).map((host) => host.toLowerCase()),
    },
    // Recognising ends early enough to hand out what was recognised.
    ocr: { languages: ocrLanguages(texts(values['ocr-language'])), maxPages: 200, maxMs: seconds * 600 },
    timeoutMs: seconds * 1000,
  };
};

const directoriesOf = async ({ values, cwd }: OpenContext): Promise<AllowedDirectories> => {
  const named = texts(values['allow-dir']);
  try {
    return await AllowedDirectories.of({
      allowed: named.length === 0 ? ['.'] : named,
      denied: texts(values['deny-path']),
      cwd,
    });
  } catch (error) {
    throw error instanceof DocumentError ? new UsageError(`--allow-dir: ${error.message}`) : error;
  }
};

const open = async (context: OpenContext): Promise<ServerParts> => {
  const pool = new ConverterPool();
  const store = new ConvertedStore();
  const desk = {
    settings: documentsSettings(context.values),
    directories: await directoriesOf(context),
    pool,
    store,
  };
  return {
    makeServer: () => makeDocumentsServer(desk),
    health: () => ({ converters: pool.running, documents: store.size }),
    close: async () => pool.close(),
  };
};

/** Documents become Markdown, HTML, JSON or text. */
export const documentsProgram: ServerProgram = {
  name: 'plugboard-documents',
  version: VERSION,
  summary: 'An MCP server that converts documents to Markdown, HTML, JSON or text.',
  defaultPort: 3020,
  // A document of the default size as base64 in JSON; larger ones come by path or URL.
  maxMessageBytes: Math.ceil(DEFAULT_LIMITS.inputBytes * 1.4),
  options: {
    'allow-dir': {
      type: 'string',
      multiple: true,
      value: 'dir',
      help: 'Directory from which documents may be read (default: the current one).',
    },
    'deny-path': {
      type: 'string',
      multiple: true,
      value: 'path',
      help: 'File or directory inside an allowed directory that must not be read.',
    },
    urls: { type: 'string', value: 'public|any|none', help: 'Which URLs may be fetched (default: public).' },
    'allow-url-host': {
      type: 'string',
      multiple: true,
      value: 'host',
      help: 'Host that may be fetched from even in a private network.',
    },
    'ocr-language': {
      type: 'string',
      multiple: true,
      value: 'lang',
      help: 'Language of text in pictures, whose package @tesseract.js-data/<lang> is installed (default: eng).',
    },
    'max-size': { type: 'string', value: 'MiB', help: 'Largest document (default: 25).' },
    'max-pages': { type: 'string', value: 'pages', help: 'Most pages, slides or chapters (default: 2000).' },
    timeout: { type: 'string', value: 'seconds', help: 'Longest conversion (default: 60).' },
  },
  open,
};
