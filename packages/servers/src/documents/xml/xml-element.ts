/** One element of an XML part; names keep their prefix, as the programs that write these files choose the usual ones. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

export const elements = (parent: XmlElement | undefined): readonly XmlElement[] =>
  (parent?.children ?? []).filter((child) => typeof child !== 'string');

export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1);

/** The first child with this local name. */
export const child = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  elements(parent).find((element) => localName(element) === name);

export const childrenOf = (parent: XmlElement | undefined, name: string): readonly XmlElement[] =>
  elements(parent).filter((element) => localName(element) === name);

/** Follows one child after another. */
export const descend = (parent: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined =>
  names.reduce<XmlElement | undefined>((element, name) => child(element, name), parent);

/** An attribute by its local name. */
export const attribute = (element: XmlElement | undefined, name: string): string | undefined => {
  const entry = Object.entries(element?.attributes ?? {}).find(([key]) => key.slice(key.indexOf(':') + 1) === name);
  return entry?.[1];
};

export const textOf = (element: XmlElement | undefined): string =>
  (element?.children ?? []).map((part) => (typeof part === 'string' ? part : textOf(part))).join('');
