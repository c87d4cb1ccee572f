export const FORMAT_NAMES = [
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'odt',
  'odp',
  'ods',
  'rtf',
  'epub',
  'html',
  'markdown',
  'ipynb',
  'csv',
  'json',
  'xml',
  'text',
  'image',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

export interface DocumentFormat {
  readonly name: FormatName;
  readonly title: string;
  readonly extensions: readonly string[];
  readonly mediaTypes: readonly string[];
  /** A binary format comes as base64 when it comes as content. */
  readonly binary: boolean;
  /** Whether pictures inside can be handed out. */
  readonly images: boolean;
}

const ODF = 'application/vnd.oasis.opendocument';
const OOXML = 'application/vnd.openxmlformats-officedocument';

export const DOCUMENT_FORMATS: Readonly<Record<FormatName, DocumentFormat>> = {
  pdf: format('pdf', 'PDF', ['.pdf'], ['application/pdf'], { binary: true }),
  docx: format('docx', 'Word', ['.docx'], [`${OOXML}.wordprocessingml.document`], { binary: true, images: true }),
  pptx: format('pptx', 'PowerPoint', ['.pptx'], [`${OOXML}.presentationml.presentation`], {
    binary: true,
    images: true,
  }),
  xlsx: format('xlsx', 'Excel', ['.xlsx'], [`${OOXML}.spreadsheetml.sheet`], { binary: true }),
  csv: format('csv', 'CSV', ['.csv', '.tsv'], ['text/csv', 'text/tab-separated-values']),
  html: format('html', 'HTML', ['.html', '.htm', '.xhtml'], ['text/html', 'application/xhtml+xml'], { images: true }),
  markdown: format('markdown', 'Markdown', ['.md', '.markdown'], ['text/markdown']),
  epub: format('epub', 'EPUB', ['.epub'], ['application/epub+zip'], { binary: true, images: true }),
  odt: format('odt', 'OpenDocument text', ['.odt'], [`${ODF}.text`], { binary: true, images: true }),
  odp: format('odp', 'OpenDocument presentation', ['.odp'], [`${ODF}.presentation`], { binary: true, images: true }),
  ods: format('ods', 'OpenDocument spreadsheet', ['.ods'], [`${ODF}.spreadsheet`], { binary: true }),
  rtf: format('rtf', 'Rich Text', ['.rtf'], ['application/rtf', 'text/rtf']),
  ipynb: format('ipynb', 'Jupyter notebook', ['.ipynb'], ['application/x-ipynb+json'], { images: true }),
  json: format('json', 'JSON', ['.json'], ['application/json']),
  xml: format('xml', 'XML', ['.xml'], ['application/xml', 'text/xml']),
  image: format(
    'image',
    'image',
    ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.bmp', '.tif', '.tiff'],
    ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/tiff'],
    { binary: true },
  ),
  text: format('text', 'plain text', ['.txt', '.text', '.log'], ['text/plain']),
};

interface Traits {
  readonly binary?: boolean;
  readonly images?: boolean;
}

// A declaration, so that the table above can stand first.
// oxlint-disable-next-line max-params -- a row of the table reads best as a row
function format(
  name: FormatName,
  title: string,
  extensions: readonly string[],
  mediaTypes: readonly string[],
  { binary = false, images = false }: Traits = {},
): DocumentFormat {
  return { name, title, extensions, mediaTypes, binary, images };
}
