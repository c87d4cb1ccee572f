import type { Element, ElementContent, Nodes, Root as HtmlRoot } from 'hast';

/** The element that stands for a reference until the tree is a Markdown tree. */
export const NOTE_REFERENCE = 'note-reference';

export interface HtmlNote {
  readonly identifier: string;
  readonly children: readonly ElementContent[];
}

const isElement = (node: Nodes | undefined): node is Element => node?.type === 'element';

const value = (element: Element, ...names: readonly string[]): string =>
  names
    .map((name) => {
      const property = element.properties[name];
      return Array.isArray(property) ? property.join(' ') : String(property ?? '');
    })
    .join(' ');

const marksOf = (element: Element): string => value(element, 'role', 'dataType', 'epub:type', 'epubType', 'className');

const hasMark = (element: Element, marks: ReadonlySet<string>): boolean =>
  marksOf(element)
    .split(/\s+/u)
    .some((mark) => marks.has(mark));

const NOTE = new Set([
  'doc-endnote',
  'doc-footnote',
  'doc-endnotes',
  'footnote',
  'footnotes',
  'endnote',
  'endnotes',
  'rearnote',
  'rearnotes',
]);
const REFERENCE = new Set(['doc-noteref', 'noteref', 'footnote-ref', 'footnote-reference']);
const BACK = new Set(['doc-backlink', 'footnote-back', 'footnote-backref', 'backlink']);

const fragment = (element: Element): string | undefined => {
  const href = value(element, 'href').trim();
  return element.tagName === 'a' && href.startsWith('#') && href.length > 1 ? href.slice(1) : undefined;
};

interface Place {
  readonly element: Element;
  readonly parents: readonly Element[];
}

const placesIn = (node: Nodes, parents: readonly Element[] = []): readonly Place[] => {
  if (!('children' in node)) return [];
  const within = isElement(node) ? [...parents, node] : parents;
  const inner = node.children.flatMap((child) => placesIn(child, within));
  return isElement(node) ? [{ element: node, parents }, ...inner] : inner;
};

const linksTo = (node: Nodes, ids: ReadonlySet<string>): boolean => {
  if (isElement(node) && ids.has(fragment(node) ?? '')) return true;
  return 'children' in node && node.children.some((child) => linksTo(child, ids));
};

/** Takes out the links that lead from a note back to the text. */
const withoutBackLinks = (nodes: readonly ElementContent[], ids: ReadonlySet<string>): ElementContent[] =>
  nodes
    .filter((node) => !(isElement(node) && (hasMark(node, BACK) || ids.has(fragment(node) ?? ''))))
    .map((node) => (isElement(node) ? { ...node, children: withoutBackLinks(node.children, ids) } : node));

const remove = (parent: Element | HtmlRoot | undefined, child: Element): void => {
  if (parent === undefined) return;
  parent.children = parent.children.filter((node) => node !== child) as typeof parent.children;
};

const isEmpty = (element: Element): boolean =>
  element.children.every((node) =>
    node.type === 'text' ? node.value.trim() === '' : isElement(node) && node.tagName === 'hr',
  );

/**
 * Finds footnotes: a link into the same page whose target says that it is a note, or links back. References become
 * elements of their own, notes leave the page.
 */
export const takeNotes = (root: HtmlRoot, prefix = ''): readonly HtmlNote[] => {
  const places = placesIn(root);
  const byId = new Map(
    places.flatMap((place) => {
      const id = value(place.element, 'id').trim();
      return id === '' ? [] : [[id, place] as const];
    }),
  );
  const notes = new Map<string, HtmlNote>();
  for (const { element, parents } of places) {
    const target = byId.get(fragment(element) ?? '');
    if (target === undefined || hasMark(element, BACK)) continue;
    const own = new Set([element, ...parents.slice(-1)].map((part) => value(part, 'id')).filter((id) => id !== ''));
    const isNote =
      hasMark(element, REFERENCE) || [target.element, ...target.parents.slice(-2)].some((part) => hasMark(part, NOTE));
    if (!isNote && !(parents.at(-1)?.tagName === 'sup' && linksTo(target.element, own))) continue;
    if (parents.includes(target.element)) continue;
    const identifier = `${prefix}${value(target.element, 'id')}`;
    if (!notes.has(identifier)) {
      notes.set(identifier, { identifier, children: withoutBackLinks(target.element.children, own) });
      remove(target.parents.at(-1) ?? root, target.element);
      const [list, section] = target.parents.toReversed();
      if (list !== undefined && isEmpty(list)) remove(section ?? root, list);
      if (section !== undefined && isEmpty(section) && hasMark(section, NOTE)) {
        remove(target.parents.at(-3) ?? root, section);
      }
    }
    // The raised number around it goes too: a reference is raised by itself.
    const carrier = parents.at(-1)?.tagName === 'sup' ? parents.at(-1) : element;
    if (carrier === undefined) continue;
    carrier.tagName = NOTE_REFERENCE;
    carrier.properties = { dataNote: identifier };
    carrier.children = [];
  }
  return [...notes.values()];
};
