/** One piece of a template: text that stands as it is, or what an expression can become. */
type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  /** At least one character; any, or none of `/?#`. */
  | { readonly kind: 'any' }
  | { readonly kind: 'segment' }
  /** `/a/b`: one or more segments, each behind its slash. */
  | { readonly kind: 'path' }
  /** Nothing, or everything from a `?` or `&` on. */
  | { readonly kind: 'query' };

/** Templates and URIs beyond this are compared by nothing but their beginning: no client can mean them. */
const MAX_TEMPLATE_CHARS = 2048;
const MAX_EXPRESSIONS = 32;
const MAX_URI_CHARS = 8192;

const expression = (body: string): Piece => {
  switch (body[0]) {
    case '+':
    case '#':
      return { kind: 'any' };
    case '?':
    case '&':
      return { kind: 'query' };
    case '/':
      return { kind: 'path' };
    default:
      return { kind: body.endsWith('*') ? 'any' : 'segment' };
  }
};

const piecesOf = (template: string): readonly Piece[] =>
  template
    .split(/\{([^{}]*)\}/u)
    .map((part, index): Piece => (index % 2 === 0 ? { kind: 'literal', text: part } : expression(part)))
    .filter((piece) => piece.kind !== 'literal' || piece.text !== '');

/** How much work comparing URIs with templates may be: a server chooses its templates, and a caller its URI. */
export class MatchBudget {
  #steps: number;

  constructor(steps = 200_000) {
    this.#steps = steps;
  }

  /** False when there is no more. */
  spend(steps: number): boolean {
    this.#steps -= steps;
    return this.#steps >= 0;
  }
}

/** The places in a URI that the pieces so far can end at. */
type Ends = Uint8Array;

const ENDS_SEGMENT: ReadonlySet<string> = new Set(['/', '?', '#']);

const afterLiteral = (uri: string, ends: Ends, text: string): Ends => {
  const next = new Uint8Array(ends.length);
  for (let at = uri.indexOf(text); at !== -1; at = uri.indexOf(text, at + 1)) {
    if (ends[at] === 1) next[at + text.length] = 1;
  }
  return next;
};

const afterAny = (ends: Ends): Ends => {
  const next = new Uint8Array(ends.length);
  const first = ends.indexOf(1);
  if (first !== -1) next.fill(1, first + 1);
  return next;
};

const afterSegment = (uri: string, ends: Ends): Ends => {
  const next = new Uint8Array(ends.length);
  let inside = false;
  for (let at = 0; at < uri.length; at += 1) {
    inside = (inside || ends[at] === 1) && !ENDS_SEGMENT.has(uri.charAt(at));
    if (inside) next[at + 1] = 1;
  }
  return next;
};

const afterPath = (uri: string, ends: Ends): Ends => {
  const next = new Uint8Array(ends.length);
  // Behind a slash a character must follow before the path can end, or go on with another slash.
  let state: 'outside' | 'slash' | 'segment' = 'outside';
  for (let at = 0; at < uri.length; at += 1) {
    const character = uri.charAt(at);
    if (character === '/') state = state === 'segment' || ends[at] === 1 ? 'slash' : 'outside';
    else if (state !== 'outside') state = ENDS_SEGMENT.has(character) ? 'outside' : 'segment';
    if (state === 'segment') next[at + 1] = 1;
  }
  return next;
};

const afterQuery = (uri: string, ends: Ends): Ends => {
  const next = Uint8Array.from(ends);
  for (let at = 0; at < uri.length; at += 1) {
    if (ends[at] === 1 && (uri[at] === '?' || uri[at] === '&')) return next.fill(1, at + 1);
  }
  return next;
};

const after = (piece: Piece, uri: string, ends: Ends): Ends => {
  switch (piece.kind) {
    case 'literal':
      return afterLiteral(uri, ends, piece.text);
    case 'any':
      return afterAny(ends);
    case 'segment':
      return afterSegment(uri, ends);
    case 'path':
      return afterPath(uri, ends);
    case 'query':
      return afterQuery(uri, ends);
  }
};

/**
 * Can a template give this URI, as far as it must be known to tell servers apart? Every piece is compared once with the
 * whole URI, so nothing is tried twice. False when the budget is spent.
 */
export const uriMatches = (template: string, uri: string, budget = new MatchBudget()): boolean => {
  if (template.length > MAX_TEMPLATE_CHARS || uri.length > MAX_URI_CHARS || !budget.spend(1)) return false;
  const pieces = piecesOf(template);
  if (pieces.length > 2 * MAX_EXPRESSIONS + 1) return false;
  const [first] = pieces;
  if (first?.kind === 'literal' && !uri.startsWith(first.text)) return false;
  let ends: Ends = new Uint8Array(uri.length + 1);
  ends[0] = 1;
  for (const piece of pieces) {
    if (!budget.spend(uri.length + 1)) return false;
    ends = after(piece, uri, ends);
  }
  return ends[uri.length] === 1;
};
