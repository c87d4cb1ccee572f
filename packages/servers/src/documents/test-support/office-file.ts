import { strToU8, zipSync } from 'fflate';

const TYPES = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';

/** An Office file of the given parts. */
export const officeFile = (parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({ '[Content_Types].xml': TYPES, ...parts }).map(([name, part]) => [
        name,
        typeof part === 'string' ? strToU8(part) : part,
      ]),
    ),
  );

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export const wordDocument = (body: string, declaration = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${declaration}<w:document ${WORD}><w:body>${body}</w:body></w:document>`;

export const wordText = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
