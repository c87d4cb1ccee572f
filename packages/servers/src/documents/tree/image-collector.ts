import type { Limits } from '../limits.js';
import { counted } from './counted.js';
import type { ExtractedImage } from '../tree/document-reader.js';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
};

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(EXTENSIONS).map(([type, extension]) => [extension, type])),
  jpeg: 'image/jpeg',
  tif: 'image/tiff',
};

/** The media type of a picture by the name of its part; vector pictures that may carry scripts have none. */
export const imageType = (name: string): string | undefined =>
  MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];

/** Gathers the pictures of one document within limits and gives each a name. */
export class ImageCollector {
  readonly #images: ExtractedImage[] = [];
  readonly #names = new Map<string, string>();
  readonly #limits: Limits;
  readonly #wanted: boolean;
  #bytes = 0;
  #leftOut = 0;

  constructor({ limits, images }: { readonly limits: Limits; readonly images: boolean }) {
    this.#limits = limits;
    this.#wanted = images;
  }

  get images(): readonly ExtractedImage[] {
    return this.#images;
  }

  get warnings(): readonly string[] {
    if (this.#leftOut === 0) return [];
    const what = `${counted(this.#leftOut, 'picture', 'pictures')} left out`;
    return [
      this.#wanted
        ? `${what}: too many, too large, or of an unknown type.`
        : `${what}. Call again with images: true to get the pictures.`,
    ];
  }

  /** The name under which the picture is handed out; the same source is handed out once. */
  add(source: string, mediaType: string | undefined, read: () => Uint8Array | undefined): string | undefined {
    if (!this.#wanted) {
      this.#leftOut += 1;
      return undefined;
    }
    const known = this.#names.get(source);
    if (known !== undefined) return known;
    const extension = EXTENSIONS[mediaType ?? ''];
    const bytes = extension === undefined ? undefined : read();
    if (mediaType === undefined || bytes === undefined || !this.#hasRoom(bytes)) {
      this.#leftOut += 1;
      return undefined;
    }
    const name = `image-${this.#images.length + 1}.${extension}`;
    this.#bytes += bytes.length;
    this.#names.set(source, name);
    this.#images.push({ name, mediaType, bytes });
    return name;
  }

  /** A picture that is written out in its address. */
  addDataUrl(url: string): string | undefined {
    const match = /^data:(image\/[\w+.-]+);base64,/iu.exec(url.slice(0, 100));
    if (match === null) return undefined;
    return this.add(url, match[1]?.toLowerCase(), () => Buffer.from(url.slice(match[0].length), 'base64'));
  }

  #hasRoom(bytes: Uint8Array): boolean {
    return this.#images.length < this.#limits.images && this.#bytes + bytes.length <= this.#limits.imageBytes;
  }
}
