/** What a client's file may refer to beside plain values. */
export interface ForeignVariables {
  readonly userHome: string;
  /** Values for `${input:…}`. */
  readonly inputs: ReadonlyMap<string, string>;
}

export type Rewritten =
  | { readonly ok: true; readonly text: string }
  /** References that mean something only inside that client. */
  | { readonly ok: false; readonly unresolved: readonly string[] };

// ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id}, ${userHome}, ${workspaceFolder}, …
const REFERENCE = /\$\{(?<body>[^{}]+)\}/gu;
const WITH_DEFAULT = /^(?<name>[A-Za-z_]\w*):-(?<fallback>[^}]*)$/u;

const rewriteReference = (body: string, variables: ForeignVariables): string | undefined => {
  if (body.startsWith('env:')) return `\${${body.slice(4)}}`;
  if (body.startsWith('input:')) return variables.inputs.get(body.slice(6));
  if (body === 'userHome') return variables.userHome;
  if (body === 'pathSeparator' || body === '/') return '/';
  const withDefault = WITH_DEFAULT.exec(body)?.groups;
  if (withDefault !== undefined) return `{{ ${withDefault['name']} | ${withDefault['fallback']} }}`;
  return /^[A-Z_][A-Z0-9_]*$/u.test(body) ? `\${${body}}` : undefined;
};

/** A text of another client's file with its references in our grammar: `${NAME}` and `{{ NAME | default }}`. */
export const rewriteReferences = (text: string, variables: ForeignVariables): Rewritten => {
  const unresolved: string[] = [];
  const rewritten = text.replaceAll(REFERENCE, (whole, body: string) => {
    const value = rewriteReference(body, variables);
    if (value === undefined) unresolved.push(body);
    return value ?? whole;
  });
  return unresolved.length === 0 ? { ok: true, text: rewritten } : { ok: false, unresolved };
};
