import {
  parse,
  type ExportDefaultDeclaration,
  type ExportNamedDeclaration,
  type ImportDeclaration,
  type Node,
  type Program,
} from 'acorn';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const MENTIONS = /\b(?:import|export|return)\b/u;

/**
 * Code is evaluated as a script, whose last expression is its result. This turns what only modules and functions know
 * into something a script can do: imports become `await import()`, exports become the result, and `return` at the top
 * level ends the program. Lines stay where they are.
 */
export const asScript = (code: string): string => {
  if (!MENTIONS.test(code)) return code;
  const program = parsed(code);
  // What cannot be parsed here is the engine's to complain about.
  if (program === undefined) return code;
  const exported: string[] = [];
  const edits = program.body.flatMap((statement) => editsOf(statement, code, exported));
  const rewritten = apply(code, edits);
  const result = exported.length === 0 ? '' : `\n;({ ${exported.join(', ')} })`;
  return program.body.some(hasReturn) ? asFunction(rewritten + result) : rewritten + result;
};

const parsed = (code: string): Program | undefined => {
  try {
    return parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowHashBang: true,
    });
  } catch {
    return undefined;
  }
};

const editsOf = (statement: Program['body'][number], code: string, exported: string[]): readonly Edit[] => {
  switch (statement.type) {
    case 'ImportDeclaration':
      return [replace(statement, importText(statement), code)];
    case 'ExportNamedDeclaration':
      return namedExport(statement, code, exported);
    case 'ExportDefaultDeclaration':
      return defaultExport(statement, exported);
    case 'ExportAllDeclaration': {
      const source = JSON.stringify(statement.source.value);
      if (statement.exported === null || statement.exported === undefined) {
        exported.push(`...(await import(${source}))`);
      } else {
        exported.push(`${quotedName(statement.exported)}: await import(${source})`);
      }
      return [replace(statement, '', code)];
    }
    default:
      return [];
  }
};

/** `var`, so that a session may import the same name in every run. */
const importText = ({ specifiers, source }: ImportDeclaration): string => {
  const load = `await import(${JSON.stringify(source.value)})`;
  if (specifiers.length === 0) return `${load};`;
  const members: string[] = [];
  const whole: string[] = [];
  for (const specifier of specifiers) {
    const local = specifier.local.name;
    if (specifier.type === 'ImportNamespaceSpecifier') whole.push(`${local} = ${load}`);
    else if (specifier.type === 'ImportDefaultSpecifier') members.push(`default: ${local}`);
    else members.push(`${quotedName(specifier.imported)}: ${local}`);
  }
  return `var ${[...(members.length === 0 ? [] : [`{ ${members.join(', ')} } = ${load}`]), ...whole].join(', ')};`;
};

const namedExport = (statement: ExportNamedDeclaration, code: string, exported: string[]): readonly Edit[] => {
  const { declaration, specifiers, source } = statement;
  if (declaration !== null && declaration !== undefined) {
    const names =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.flatMap(({ id }) => boundNames(id))
        : [declaration.id.name];
    exported.push(...names);
    return [blank(statement.start, declaration.start)];
  }
  for (const { local, exported: name } of specifiers) {
    const value =
      source === null || source === undefined
        ? nameOf(local)
        : `(await import(${JSON.stringify(source.value)}))[${JSON.stringify(nameOf(local))}]`;
    exported.push(`${quotedName(name)}: ${value}`);
  }
  return [replace(statement, '', code)];
};

const defaultExport = ({ start, declaration }: ExportDefaultDeclaration, exported: string[]): readonly Edit[] => {
  const isNamed =
    (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id !== null;
  if (isNamed) {
    exported.push(`default: ${declaration.id?.name ?? ''}`);
    return [blank(start, declaration.start)];
  }
  exported.push('default: __default');
  return [{ start, end: declaration.start, text: ';var __default = ' }];
};

interface Named {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
}

const nameOf = (node: Named): string => (node.type === 'Identifier' ? (node.name ?? '') : String(node.value));
const quotedName = (node: Named): string => JSON.stringify(nameOf(node));

const isNode = (value: unknown): value is Node & Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((member: unknown) =>
    Array.isArray(member) ? member.filter(isNode) : isNode(member) ? [member] : [],
  );

/** Names that a pattern binds: `{ a, b: [c] }` binds a and c. */
const boundNames = (pattern: Node): readonly string[] => {
  if (pattern.type === 'Identifier') return [nameOf(pattern)];
  if (pattern.type === 'AssignmentPattern') return boundNames((pattern as unknown as { left: Node }).left);
  if (pattern.type === 'Property') return boundNames((pattern as unknown as { value: Node }).value);
  return childrenOf(pattern).flatMap(boundNames);
};

const OWN_RETURN = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
]);

const hasReturn = (node: Node): boolean =>
  node.type === 'ReturnStatement' || (!OWN_RETURN.has(node.type) && childrenOf(node).some(hasReturn));

/** The last expression stays the result where no `return` was reached. */
const asFunction = (code: string): string => {
  const last = parsed(code)?.body.at(-1);
  const body =
    last?.type === 'ExpressionStatement'
      ? apply(code, [
          { start: last.start, end: last.start, text: 'return (' },
          { start: last.expression.end, end: last.end, text: ');' },
        ])
      : code;
  return `await (async () => {${body}\n})()`;
};

const newlinesIn = (text: string): string => text.replaceAll(/[^\n]/gu, '');
const blank = (start: number, end: number): Edit => ({ start, end, text: ' ' });
const replace = ({ start, end }: Node, text: string, code: string): Edit => ({
  start,
  end,
  text: text + newlinesIn(code.slice(start, end)),
});

const apply = (code: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end), code);
