import { OPS, type PdfImage, type PdfPage } from './pdf-js.js';

const isImage = (value: unknown): value is PdfImage =>
  typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Uint8Array;

const asBytes = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Uint8ClampedArray
    ? { ...value, data: new Uint8Array(value.data.buffer, value.data.byteOffset, value.data.byteLength) }
    : value;

/** The pictures that a page paints, with their pixels. */
export const paintedImages = async (page: PdfPage): Promise<readonly PdfImage[]> => {
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
