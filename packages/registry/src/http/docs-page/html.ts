/** Markup that is known to be safe. Everything else is text and gets escaped. */
export interface Markup {
  readonly markup: string;
}

type Piece = Markup | string | number | undefined | readonly Piece[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/gu, (character) => ESCAPES[character] ?? '');

const render = (piece: Piece): string => {
  if (piece === undefined) return '';
  if (typeof piece === 'string' || typeof piece === 'number') return escape(String(piece));
  if ('markup' in piece) return piece.markup;
  return piece.map(render).join('');
};

/** A template whose values are escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup => ({
  markup: strings.map((text, index) => text + render(pieces[index])).join(''),
});

/** Prose in which `backticks` mark code. */
export const prose = (text: string): Markup => {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
};
