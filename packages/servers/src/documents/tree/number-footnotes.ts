import type { FootnoteDefinition, FootnoteReference, Nodes, Root } from 'mdast';

const referencesIn = (node: Nodes): readonly FootnoteReference[] => {
  if (node.type === 'footnoteReference') return [node];
  return 'children' in node ? node.children.flatMap(referencesIn) : [];
};

/** Numbers notes in the order in which the text refers to them, and puts them at the end. Notes nobody refers to stay words. */
export const numberFootnotes = (tree: Root): Root => {
  const notes = new Map<string, FootnoteDefinition>();
  const body: Root['children'] = [];
  for (const node of tree.children) {
    if (node.type === 'footnoteDefinition') notes.set(node.identifier, node);
    else body.push(node);
  }
  if (notes.size === 0) return tree;
  const numbers = new Map<string, string>();
  for (const reference of body.flatMap(referencesIn)) {
    const number = numbers.get(reference.identifier) ?? String(numbers.size + 1);
    numbers.set(reference.identifier, number);
    reference.identifier = number;
    reference.label = number;
  }
  const used = [...numbers].flatMap(([identifier, number]) => {
    const note = notes.get(identifier);
    notes.delete(identifier);
    return note === undefined ? [] : [{ ...note, identifier: number, label: number }];
  });
  return { ...tree, children: [...body, ...[...notes.values()].flatMap(({ children }) => children), ...used] };
};
