/** HTTP fields, names and values in turn. */
export type FieldList = readonly string[];

/** Fields that belong to the connection; a config that sets one of them is sent by undici, which knows what it means. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;
const VALUE = /^[\t -~\u0080-\u00ff]*$/u;

/** May they be written as they are? */
export const isPlain = (fields: FieldList): boolean =>
  fields.every((text, index) =>
    index % 2 === 0 ? NAME.test(text) && !OF_CONNECTION.has(text.toLowerCase()) : VALUE.test(text),
  );

export const linesOf = (fields: FieldList): string => {
  let lines = '';
  for (let index = 0; index < fields.length; index += 2) lines += `${fields[index]}: ${fields[index + 1]}\r\n`;
  return lines;
};

export const isSame = (one: FieldList, other: FieldList): boolean => {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
};

/** How a POST to this URL begins. */
export const postStart = (url: URL): string =>
  `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`;
