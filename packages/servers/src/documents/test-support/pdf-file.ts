import { deflateRawSync } from 'node:zlib';

/** A PDF of the given objects; the first is its catalogue. */
export const pdfFile = (objects: readonly (string | Uint8Array)[]): Uint8Array => {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = chunks[0]?.length ?? 0;
  const write = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    write(Buffer.from(`${index + 1} 0 obj\n`));
    write(Buffer.from(object));
    write(Buffer.from('\nendobj\n'));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  write(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`));
  write(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(chunks));
};

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

const stream = (content: string | Uint8Array, filter = ''): Uint8Array => {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${filter}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
};

/** A PDF with these streams as its pages. */
export const pdfOfPages = (contents: readonly Uint8Array[]): Uint8Array => {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    FONT,
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      content,
    ]),
  ]);
};

export const textPage = (text: string): Uint8Array => stream(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`);

const MIB = 1024 * 1024;

/** A page that unpacks to so many MiB of spaces, made without ever unpacking them. */
export const bombPage = (mebibytes: number): Uint8Array => {
  // A block that ends at a byte, so that it can be repeated.
  const block = deflateRawSync(Buffer.alloc(MIB, ' '), { finishFlush: 2 });
  const head = Buffer.from([0x78, 0x9c]);
  const last = deflateRawSync(Buffer.from('BT ET'));
  return stream(
    Buffer.concat([head, ...Array.from({ length: mebibytes }, () => block), last, Buffer.alloc(4)]),
    '/Filter /FlateDecode ',
  );
};
