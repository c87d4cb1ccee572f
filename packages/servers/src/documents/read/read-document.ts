import type { FormatName } from '../format/document-format.js';
import type { DocumentReader } from '../tree/document-reader.js';

/** The reader of a format, loaded when it is first needed: nobody who converts CSV waits for pdf.js. */
export const loadReader = async (format: FormatName): Promise<DocumentReader> => {
  switch (format) {
    case 'pdf':
      return (await import('./pdf/read-pdf.js')).readPdf;
    case 'docx':
      return (await import('./read-docx.js')).readDocx;
    case 'pptx':
      return (await import('./pptx/read-pptx.js')).readPptx;
    case 'xlsx':
      return (await import('./read-xlsx.js')).readXlsx;
    case 'odt':
      return (await import('./odf/read-odt.js')).readOdt;
    case 'odp':
      return (await import('./odf/read-odp.js')).readOdp;
    case 'ods':
      return (await import('./read-xlsx.js')).readOds;
    case 'rtf':
      return (await import('./rtf/read-rtf.js')).readRtf;
    case 'ipynb':
      return (await import('./read-ipynb.js')).readIpynb;
    case 'json':
      return (await import('./read-data.js')).readJson;
    case 'xml':
      return (await import('./read-data.js')).readXml;
    case 'image':
      return (await import('./ocr/read-image.js')).readImage;
    case 'csv':
      return (await import('./read-csv.js')).readCsv;
    case 'html':
      return (await import('./read-html.js')).readHtml;
    case 'markdown':
      return (await import('./read-markdown.js')).readMarkdown;
    case 'epub':
      return (await import('./read-epub.js')).readEpub;
    case 'text':
      return (await import('./read-text.js')).readText;
  }
};
