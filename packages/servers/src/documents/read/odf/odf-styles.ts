import { attribute, child, elements, localName, type XmlElement } from '../../xml/xml-element.js';
import type { Look } from '../../tree/styled-runs.js';
import type { OdfFile } from './open-odf.js';

interface Style {
  readonly parent: string | undefined;
  readonly look: Look;
  readonly hidden: boolean;
}

interface ListLevel {
  readonly ordered: boolean;
  readonly start: number;
}

const MONOSPACED = /mono|courier|consol|menlo|typewriter/iu;

const positionOf = (value: string | undefined): Look => {
  if (value === undefined) return {};
  const height = Number.parseFloat(value);
  if (value.startsWith('super') || height > 0) return { raised: true };
  return value.startsWith('sub') || height < 0 ? { lowered: true } : {};
};

const lookOf = (element: XmlElement): Look => {
  const properties = child(element, 'text-properties');
  if (properties === undefined) return {};
  const weight = attribute(properties, 'font-weight');
  const slant = attribute(properties, 'font-style');
  const line = attribute(properties, 'text-line-through-style');
  return {
    ...(weight === undefined ? {} : { bold: weight === 'bold' || Number(weight) >= 600 }),
    ...(slant === undefined ? {} : { italic: slant === 'italic' || slant === 'oblique' }),
    ...(line === undefined ? {} : { struck: line !== 'none' }),
    ...(MONOSPACED.test(attribute(properties, 'font-name') ?? '') ? { code: true } : {}),
    ...positionOf(attribute(properties, 'text-position')),
  };
};

/** The styles of an OpenDocument file: what they look like and what they are variants of. */
export class OdfStyles {
  readonly #styles = new Map<string, Style>();
  readonly #lists = new Map<string, ReadonlyMap<number, ListLevel>>();

  constructor({ content, styles }: OdfFile) {
    for (const source of [styles, content]) {
      for (const name of ['styles', 'automatic-styles']) {
        for (const element of elements(child(source, name))) this.#add(element);
      }
    }
  }

  look(name: string | undefined): Look {
    return this.#line(name).reduceRight<Look>(
      (look, ancestor) => ({ ...look, ...this.#styles.get(ancestor)?.look }),
      {},
    );
  }

  /** Whether a style is one of these, or a variant of one. */
  isOneOf(name: string | undefined, names: ReadonlySet<string>): boolean {
    return this.#line(name).some((ancestor) => names.has(ancestor));
  }

  isHidden(name: string | undefined): boolean {
    return this.#styles.get(name ?? '')?.hidden ?? false;
  }

  listLevel(name: string | undefined, level: number): ListLevel {
    return this.#lists.get(name ?? '')?.get(level) ?? { ordered: false, start: 1 };
  }

  /** A style and its ancestors, without going round in circles. */
  #line(name: string | undefined): readonly string[] {
    const line: string[] = [];
    for (let next = name; next !== undefined && !line.includes(next); next = this.#styles.get(next)?.parent) {
      line.push(next);
    }
    return line;
  }

  #add(element: XmlElement): void {
    const name = attribute(element, 'name') ?? '';
    if (localName(element) === 'list-style') {
      const levels = elements(element).map((level): readonly [number, ListLevel] => [
        Number(attribute(level, 'level') ?? 1),
        {
          ordered: localName(level) === 'list-level-style-number' && attribute(level, 'num-format') !== '',
          start: Number(attribute(level, 'start-value') ?? 1),
        },
      ]);
      this.#lists.set(name, new Map(levels));
    } else if (localName(element) === 'style') {
      this.#styles.set(name, {
        parent: attribute(element, 'parent-style-name'),
        look: lookOf(element),
        hidden: attribute(child(element, 'drawing-page-properties'), 'visibility') === 'hidden',
      });
    }
  }
}
