import type { BlockContent, PhrasingContent } from 'mdast';
import { attribute, child, localName, type XmlElement } from '../../xml/xml-element.js';
import { safeLink } from '../../tree/settle-references.js';
import { styledPhrasing, type Look, type StyledRun } from '../../tree/styled-runs.js';
import { trimPhrasing } from '../../tree/tree.js';
import { frameRuns } from './odf-frame.js';
import type { OdfReading } from './odf-reading.js';

const CODE = new Set(['Source_20_Text', 'Teletype', 'Verbatim_20_Char']);

const noteRun = (element: XmlElement, reading: OdfReading): StyledRun => {
  const identifier = attribute(element, 'id') ?? `note ${reading.notes.length + 1}`;
  const children = reading.blocks(child(element, 'note-body'), reading) as BlockContent[];
  reading.notes.push({ type: 'footnoteDefinition', identifier, children });
  return { node: { type: 'footnoteReference', identifier } };
};

const spaces = (element: XmlElement): string => ' '.repeat(Math.min(Number(attribute(element, 'c') ?? 1) || 1, 200));

// White space in the file is one space, as in HTML; more of it is written as elements.
const collapsed = (words: string): string => words.replaceAll(/\s+/gu, ' ');

const spanLook = (element: XmlElement, look: Look, { styles }: OdfReading): Look => {
  const name = attribute(element, 'style-name');
  const code = styles.isOneOf(name, CODE) || look.code === true;
  return { ...look, ...styles.look(name), ...(code ? { code } : {}) };
};

/** The runs of a paragraph, in order. */
export const runsOf = (parent: XmlElement, look: Look, reading: OdfReading): readonly StyledRun[] =>
  parent.children.flatMap((part): readonly StyledRun[] => {
    if (typeof part === 'string') return [{ ...look, text: collapsed(part) }];
    switch (localName(part)) {
      case 'span':
        return runsOf(part, spanLook(part, look, reading), reading);
      case 'a': {
        const url = safeLink(attribute(part, 'href') ?? '');
        return runsOf(part, url === undefined || url === '' || url.startsWith('#') ? look : { ...look, url }, reading);
      }
      case 's':
        return [{ ...look, text: spaces(part) }];
      case 'tab':
        return [{ ...look, text: '\t' }];
      case 'line-break':
        return [{ node: { type: 'break' } }];
      case 'note':
        return [noteRun(part, reading)];
      case 'frame':
        return frameRuns(part, reading);
      case 'annotation':
        reading.lost.comments += 1;
        return [];
      case 'annotation-end':
      case 'ruby-text':
      case 'soft-page-break':
        return [];
      default:
        return runsOf(part, look, reading);
    }
  });

export const phrasingOf = (element: XmlElement, reading: OdfReading): readonly PhrasingContent[] =>
  trimPhrasing(styledPhrasing(runsOf(element, {}, reading)));

/** The words of a heading, which stands out by what it is. */
export const headingPhrasing = (element: XmlElement, reading: OdfReading): readonly PhrasingContent[] => {
  const runs = runsOf(element, {}, reading);
  return trimPhrasing(styledPhrasing(runs.map((run) => ('text' in run ? { ...run, bold: false } : run))));
};
