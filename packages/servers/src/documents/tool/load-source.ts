import { DocumentError } from '../document-error.js';
import type { DocumentsSettings } from './documents-settings.js';
import type { AllowedDirectories } from '../source/allowed-directories.js';
import { decodeContent } from '../source/decode-content.js';
import { fetchUrl } from '../source/fetch-url.js';
import type { LoadedSource } from '../source/loaded-source.js';
import { readFileSource } from '../source/read-file-source.js';
import type { ConvertInput } from './convert-input.js';

export interface LoadOptions {
  readonly settings: DocumentsSettings;
  readonly directories: AllowedDirectories;
  readonly signal: AbortSignal;
}

/** Gets the document from the one place that was named. */
export const loadSource = async (input: ConvertInput, options: LoadOptions): Promise<LoadedSource> => {
  const { input_path: path, content, url, format } = input;
  const { limits, urlPolicy, timeoutMs } = options.settings;
  if ([path, content, url].filter((value) => value !== undefined).length !== 1) {
    throw new DocumentError('INVALID_INPUT', 'Exactly one of input_path, content and url must be given.');
  }
  if (content !== undefined) return decodeContent(content, format, limits.inputBytes);
  const loaded =
    url === undefined
      ? await readFileSource(path ?? '', options.directories, limits.inputBytes)
      : await fetchUrl(url, { policy: urlPolicy, maxBytes: limits.inputBytes, timeoutMs, signal: options.signal });
  // Only content is believed: a format that was merely named would turn any file into text.
  return format === undefined ? loaded : { ...loaded, hints: { ...loaded.hints, expected: format } };
};
