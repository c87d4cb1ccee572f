import { plainJson } from './jsonc.js';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gu;
const HOLDERS = new Set(['mcpServers', 'servers']);

/** The line of a client's file that names this server; undefined when it has no such entry. */
export const entryLine = (text: string, name: string): number | undefined => {
  const plain = plainJson(text);
  const path: (string | undefined)[] = [];
  let word: { readonly text: string; readonly at: number } | undefined;
  let key: string | undefined;
  for (const { 0: token, index } of plain.matchAll(TOKEN)) {
    if (token.startsWith('"')) word = { text: token, at: index };
    if (token === ':' && word !== undefined) {
      key = word.text;
      const [holder] = path.slice(-1);
      const isEntry = key === JSON.stringify(name) && holder !== undefined && HOLDERS.has(holder.slice(1, -1));
      // `mcpServers` at the top, or below `mcp` in the settings of VS Code.
      const isHeld = path.length === 2 || (path.length === 3 && path[1] === '"mcp"');
      if (isEntry && isHeld) return plain.slice(0, word.at).split('\n').length;
    }
    if (token === '{' || token === '[') path.push(key);
    if (token === '}' || token === ']') path.pop();
    if (token !== ':' && !token.startsWith('"')) key = undefined;
  }
  return undefined;
};
