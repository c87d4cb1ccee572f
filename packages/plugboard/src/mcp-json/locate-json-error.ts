const TOKEN = /\s+|"(?:[^"\\\u0000-\u001F]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/uy;

type Container = 'object' | 'array';
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

const opens = (token: string): Container | undefined => {
  if (token === '{') return 'object';
  return token === '[' ? 'array' : undefined;
};

const closes = (token: string, container: Container | undefined): boolean =>
  (token === '}' && container === 'object') || (token === ']' && container === 'array');

const isValue = (token: string): boolean => !/^[{}[\],:]$/u.test(token);

/** What may follow `token`, or undefined when the token itself is out of place. */
const step = (token: string, expected: Expected, stack: Container[]): Expected | undefined => {
  const container = stack.at(-1);
  if (expected.endsWith('end') && closes(token, container)) {
    stack.pop();
    return 'comma-or-end';
  }
  switch (expected) {
    case 'value':
    case 'value-or-end': {
      const opened = opens(token);
      if (opened === undefined) return isValue(token) ? 'comma-or-end' : undefined;
      stack.push(opened);
      return opened === 'object' ? 'key-or-end' : 'value-or-end';
    }
    case 'key':
    case 'key-or-end':
      return token.startsWith('"') ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma-or-end':
      if (token !== ',' || container === undefined) return undefined;
      return container === 'object' ? 'key' : 'value';
    default:
      return expected satisfies never;
  }
};

/** Where a text that JSON.parse refused stops being JSON: engines do not say it reliably. */
export const locateJsonError = (text: string): number => {
  const stack: Container[] = [];
  let expected: Expected = 'value';
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return at;
    if (token.trim() === '') continue;
    const next = step(token, expected, stack);
    if (next === undefined) return at;
    expected = next;
  }
  return text.length;
};
