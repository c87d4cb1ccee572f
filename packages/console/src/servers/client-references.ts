import { isJson } from '../api/json.js';

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}`, `${workspaceFolder}`, … */
const REFERENCE = /\$\{(?<body>[^{}]+)\}/gu;
const WITH_DEFAULT = /^(?<name>[A-Za-z_]\w*):-(?<fallback>[^}]*)$/u;

const rewritten = (body: string): string | undefined => {
  if (body.startsWith('env:')) return `\${${body.slice(4)}}`;
  const withDefault = WITH_DEFAULT.exec(body)?.groups;
  if (withDefault !== undefined) return `{{ ${withDefault['name']} | ${withDefault['fallback']} }}`;
  return /^[A-Z_][A-Z0-9_]*$/u.test(body) ? `\${${body}}` : undefined;
};

export interface Rewritten {
  readonly value: unknown;
  /** References that mean something only inside the other client. */
  readonly unknown: readonly string[];
}

/** The texts of another client's entry with its references as the hub writes them: `${NAME}` and `{{ NAME | default }}`. */
export const withOwnReferences = (entry: unknown): Rewritten => {
  const unknown = new Set<string>();
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (isJson(value)) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part)]));
    if (typeof value !== 'string') return value;
    return value.replaceAll(REFERENCE, (whole, body: string) => {
      const own = rewritten(body);
      if (own === undefined) unknown.add(body);
      return own ?? whole;
    });
  };
  return { value: walk(entry), unknown: [...unknown] };
};

/** Why an entry with such a reference cannot be added, and what to do. */
export const unknownWords = (body: string): string =>
  body.startsWith('input:')
    ? `It asks for the input "${body.slice(6)}" in that client: write the value in place of \${${body}}.`
    : `It refers to \${${body}}, which only that client knows: write the value in its place.`;
