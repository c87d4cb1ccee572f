const LITERAL = /[.*+?^$()|[\]\\]/gu;

const expression = (body: string): string => {
  switch (body[0]) {
    case '+':
    case '#':
      return '.+';
    case '?':
    case '&':
      return '(?:[?&].*)?';
    case '/':
      return '(?:/[^/?#]+)+';
    default:
      return body.endsWith('*') ? '.+' : '[^/?#]+';
  }
};

/** A pattern of the URIs that a template can give, as far as it must be known to tell servers apart. */
export const templatePattern = (template: string): RegExp => {
  const parts = template.split(/\{([^{}]*)\}/u);
  const source = parts.map((part, index) =>
    index % 2 === 0 ? part.replaceAll(LITERAL, String.raw`\$&`) : expression(part),
  );
  return new RegExp(
    `^${source
      .join('')
      .replaceAll('{', String.raw`\{`)
      .replaceAll('}', String.raw`\}`)}$`,
    'u',
  );
};
