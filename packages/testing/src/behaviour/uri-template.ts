const VARIABLE = /\{([^}]+)\}/g;

const escape = (literal: string): string => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The variables of a level-1 template that this URI gives; undefined when it does not match. */
export const matchUriTemplate = (template: string, uri: string): Readonly<Record<string, string>> | undefined => {
  const names = [...template.matchAll(VARIABLE)].map(([, name]) => name ?? '');
  const pattern = template.split(VARIABLE).map((part, index) => (index % 2 === 0 ? escape(part) : '([^/]+)'));
  const match = new RegExp(`^${pattern.join('')}$`).exec(uri);
  if (match === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]));
};

/** Text with `{name}` replaced by its value; unknown names stay. */
export const fillTemplate = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(VARIABLE, (whole, name: string) => (name in values ? String(values[name]) : whole));
