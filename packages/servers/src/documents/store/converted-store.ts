import { randomUUID } from 'node:crypto';
import type { ConvertedDocument } from '../convert/convert.js';
import { OUTPUT_MEDIA_TYPES } from '../write/write-document.js';

export interface StoredDocument {
  readonly uri: string;
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
}

export interface ConvertedStoreOptions {
  readonly maxDocuments?: number;
  readonly maxCharacters?: number;
}

export const URI_PREFIX = 'documents://converted/';

const EXTENSIONS = { markdown: 'md', html: 'html', json: 'json', text: 'txt' } as const;

/** The latest converted documents, in memory: the oldest make room. Only those who know the name of one can read it. */
export class ConvertedStore {
  readonly #documents = new Map<string, StoredDocument>();
  readonly #maxDocuments: number;
  readonly #maxCharacters: number;
  #characters = 0;

  constructor({ maxDocuments = 50, maxCharacters = 20_000_000 }: ConvertedStoreOptions = {}) {
    this.#maxDocuments = maxDocuments;
    this.#maxCharacters = maxCharacters;
  }

  add({ text, output, title }: ConvertedDocument, sourceName: string | undefined): StoredDocument {
    const uri = `${URI_PREFIX}${randomUUID()}.${EXTENSIONS[output]}`;
    const name = (sourceName ?? title ?? 'document').slice(0, 200);
    const document: StoredDocument = { uri, name, mediaType: OUTPUT_MEDIA_TYPES[output], text };
    this.#documents.set(uri, document);
    this.#characters += text.length;
    for (const [oldest, { text: old }] of this.#documents) {
      const full = this.#documents.size > this.#maxDocuments || this.#characters > this.#maxCharacters;
      if (!full || oldest === uri) break;
      this.#documents.delete(oldest);
      this.#characters -= old.length;
    }
    return document;
  }

  get(uri: string): StoredDocument | undefined {
    return this.#documents.get(uri);
  }

  get size(): number {
    return this.#documents.size;
  }
}
