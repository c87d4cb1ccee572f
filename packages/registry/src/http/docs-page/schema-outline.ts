import type { JsonSchema } from '../openapi/document-types.js';
import { html, prose, type Markup } from './html.js';

const REF = '#/components/schemas/';

const list = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : []);
const map = (value: unknown): Readonly<Record<string, JsonSchema>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, JsonSchema>) : {};

/** Alternatives that look alike in short are named once. */
const joined = (parts: readonly Markup[]): Markup => {
  const distinct = [...new Map(parts.map((part) => [part.markup, part])).values()];
  return html`${distinct.map((part, index) => (index === 0 ? part : html` <i>or</i> ${part}`))}`;
};

/** What a value looks like, in a few words. */
export const typeOf = (schema: JsonSchema): Markup => {
  const { $ref, type, items, enum: options, const: literal } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.replace(REF, '');
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (literal !== undefined) return html`<code>${JSON.stringify(literal)}</code>`;
  if (Array.isArray(options)) return joined(options.map((option) => html`<code>${JSON.stringify(option)}</code>`));
  const variants = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  if (variants.length > 0) return joined(variants.map(typeOf));
  if (type === 'array') return html`array of ${typeOf(map({ items })['items'] ?? {})}`;
  if (type === 'object' && isMap(schema)) return html`map of ${typeOf(map(schema)['additionalProperties'] ?? {})}`;
  const { format } = schema;
  return html`${typeof type === 'string' ? type : 'any value'}${typeof format === 'string' ? ` (${format})` : ''}`;
};

const isMap = (schema: JsonSchema): boolean =>
  schema['properties'] === undefined && typeof schema['additionalProperties'] === 'object';

/** Objects that stand inside a schema without a name of their own. */
const nested = (schema: JsonSchema): readonly JsonSchema[] => {
  if (schema['properties'] !== undefined) return [schema];
  return [...list(schema['anyOf']), ...list(schema['oneOf']), ...list([schema['items']].filter(Boolean))].flatMap(
    nested,
  );
};

const member = (name: string, schema: JsonSchema, required: boolean): Markup => {
  const description = schema['description'];
  return html`<li>
    <code class="field">${name}</code>
    <span class="type">${typeOf(schema)}</span>${required ? html` <b>required</b>` : ''}
    ${typeof description === 'string' ? html`<p>${prose(description)}</p>` : ''}${outlines(nested(schema))}
  </li>`;
};

const outlineOne = (schema: JsonSchema): Markup => {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const members = Object.entries(map(schema['properties']));
  return html`<ul class="fields">
    ${members.map(([name, value]) => member(name, value, required.includes(name)))}
  </ul>`;
};

const outlines = (forms: readonly JsonSchema[]): Markup =>
  html`${forms.map((form, index) => html`${index === 0 ? '' : html`<p class="or">or</p>`}${outlineOne(form)}`)}`;

/** The members of a schema, one below the other; a choice of several forms shows each. */
export const schemaOutline = (schema: JsonSchema): Markup => {
  const forms = nested(schema);
  return forms.length === 0 ? html`<p class="type">${typeOf(schema)}</p>` : outlines(forms);
};

/** The schema itself where a reference to it stands. */
export const resolved = (schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (named[$ref.replace(REF, '')] ?? schema) : schema;
};
