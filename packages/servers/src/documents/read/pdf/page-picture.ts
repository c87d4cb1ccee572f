import { type PdfImage, type PdfPage, OPS } from './pdf-js.js';

const isImage = (value: unknown): value is PdfImage =>
  typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Uint8Array;

const asBytes = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Uint8ClampedArray
    ? { ...value, data: new Uint8Array(value.data.buffer, value.data.byteOffset, value.data.byteLength) }
    : value;

/** The pictures that a page paints, with their pixels. */
const paintedImages = async (page: PdfPage): Promise<readonly PdfImage[]> => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const painting = new Set([OPS.paintImageXObject, OPS.paintImageMaskXObject, OPS.paintInlineImageXObject]);
  return fnArray.flatMap((operation, index): readonly PdfImage[] => {
    if (!painting.has(operation)) return [];
    const [source] = argsArray[index] ?? [];
    const image = asBytes(typeof source === 'string' && page.objs.has(source) ? page.objs.get(source) : source);
    if (!isImage(image)) return [];
    // A mask paints its bits; it has no kind of its own.
    return [operation === OPS.paintImageMaskXObject ? { ...image, kind: 1 } : image];
  });
};

const GRAYSCALE_1BPP = 1;
const RGB_24BPP = 2;
const RGBA_32BPP = 3;

/** Pixels with three bytes each. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const fromBits = ({ width, height, data }: PdfImage): Pixels => {
  const pixels = new Uint8Array(width * height * 3);
  const stride = Math.ceil(width / 8);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const bit = ((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      pixels.fill(bit === 1 ? 255 : 0, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { width, height, data: pixels };
};

const withoutAlpha = ({ width, height, data }: PdfImage): Pixels => {
  const pixels = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index += 1) {
    const opaque = (data[index * 4 + 3] ?? 255) / 255;
    for (let part = 0; part < 3; part += 1) {
      pixels[index * 3 + part] = (data[index * 4 + part] ?? 0) * opaque + 255 * (1 - opaque);
    }
  }
  return { width, height, data: pixels };
};

const pixelsOf = (image: PdfImage): Pixels | undefined => {
  const size = image.width * image.height;
  switch (image.kind) {
    case GRAYSCALE_1BPP:
      return fromBits(image);
    case RGB_24BPP:
      return image.data.length < size * 3 ? undefined : image;
    case RGBA_32BPP:
      return image.data.length < size * 4 ? undefined : withoutAlpha(image);
    default:
      return undefined;
  }
};

/** Turned clockwise by a quarter. */
const turned = ({ width, height, data }: Pixels): Pixels => {
  const pixels = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3;
      pixels.set(data.subarray(from, from + 3), (x * height + (height - 1 - y)) * 3);
    }
  }
  return { width: height, height: width, data: pixels };
};

/** A picture in the plainest format there is, which every engine reads. */
const asPnm = ({ width, height, data }: Pixels): Uint8Array =>
  Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), data.subarray(0, width * height * 3)]);

const LEAST_SIDE = 100;

/** The largest picture of a page, upright, as a file; undefined when the page has none. */
export const pagePicture = async (page: PdfPage, maxPixels: number): Promise<Uint8Array | undefined> => {
  const images = (await paintedImages(page)).filter(
    ({ width, height }) => width >= LEAST_SIDE && height >= LEAST_SIDE && width * height <= maxPixels,
  );
  const [largest] = images.sort((a, b) => b.width * b.height - a.width * a.height);
  let pixels = largest === undefined ? undefined : pixelsOf(largest);
  if (pixels === undefined) return undefined;
  for (let turns = (((page.rotate / 90) % 4) + 4) % 4; turns > 0; turns -= 1) pixels = turned(pixels);
  return asPnm(pixels);
};
