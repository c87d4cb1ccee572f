import { posix } from 'node:path';
import { mathmlToLatex } from '../../math/mathml-latex.js';
import { parseXml } from '../../xml/parse-xml.js';
import { attribute, child, localName, textOf, type XmlElement } from '../../xml/xml-element.js';
import { inlineMath } from '../../tree/extra-nodes.js';
import { imageType } from '../../tree/image-collector.js';
import type { StyledRun } from '../../tree/styled-runs.js';
import { text } from '../../tree/tree.js';
import type { OdfReading } from './odf-reading.js';

const partName = (element: XmlElement): string =>
  posix.normalize(attribute(element, 'href') ?? '').replaceAll(/^\.\/|\/$/gu, '');

const formula = (object: XmlElement, { archive, depth }: OdfReading): StyledRun | undefined => {
  const inlineFormula = child(object, 'math');
  const bytes = archive.get(`${partName(object)}/content.xml`);
  const root = inlineFormula ?? (bytes === undefined ? undefined : parseXml(bytes, depth));
  if (root === undefined || localName(root) !== 'math') return undefined;
  const latex = mathmlToLatex(root);
  return latex === '' ? undefined : { node: inlineMath(latex) };
};

const picture = (frame: XmlElement, image: XmlElement, { archive, collector }: OdfReading): readonly StyledRun[] => {
  const alt = [child(frame, 'desc'), child(frame, 'title')].map(textOf).find((words) => words.trim() !== '') ?? '';
  const name = partName(image);
  const url = collector.add(name, imageType(name), () => archive.get(name));
  if (url !== undefined) return [{ node: { type: 'image', url, alt } }];
  return alt.trim() === '' ? [] : [{ node: text(`[Image: ${alt.trim()}]`) }];
};

/** What a frame shows within a line: a formula or a picture. Text in frames is read with the blocks. */
export const frameRuns = (frame: XmlElement, reading: OdfReading): readonly StyledRun[] => {
  const object = child(frame, 'object');
  const found = object === undefined ? undefined : formula(object, reading);
  if (found !== undefined) return [found];
  if (object !== undefined || child(frame, 'object-ole') !== undefined) {
    reading.lost.objects += 1;
    return [];
  }
  const image = child(frame, 'image');
  return image === undefined ? [] : picture(frame, image, reading);
};
