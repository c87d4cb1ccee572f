export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  text: string;
}

const TOKEN = /<\?[^>]*\?>|<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gu;
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/u;
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/gu)].map((match) => [match[1] ?? '', match[2] ?? '']));

/** The tree of a document; throws when it is not well formed by XML 1.0. */
export const parseXml = (document: string): XmlNode => {
  if (FORBIDDEN.test(document)) throw new Error('a character that XML 1.0 forbids');
  if (ENTITY.test(document)) throw new Error('an ampersand that begins no entity');
  const root: XmlNode = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  let position = 0;
  for (const match of document.matchAll(TOKEN)) {
    if (match.index !== position) {
      throw new Error(`strange markup at ${position}: ${document.slice(position, position + 40)}`);
    }
    position += match[0].length;
    const [, closing, name = '', attributes = '', empty, text] = match;
    const top = stack.at(-1) ?? root;
    if (text !== undefined) {
      top.text += text;
    } else if (closing === '/') {
      if (stack.pop()?.name !== name) throw new Error(`</${name}> closes something else`);
    } else if (name !== '') {
      const node: XmlNode = { name, attributes: attributesOf(attributes), children: [], text: '' };
      top.children.push(node);
      if (empty !== '/') stack.push(node);
    }
  }
  if (position !== document.length || stack.length !== 1) throw new Error('the document ends too early');
  const [only, ...more] = root.children;
  if (only === undefined || more.length > 0) throw new Error('not exactly one root element');
  return only;
};
