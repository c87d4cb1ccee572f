/** Lists besides tools that several servers offer together. */
export type ListKind = 'prompts' | 'resources' | 'templates';

interface ListShape {
  readonly method: string;
  /** The member of the result that holds the list. */
  readonly member: string;
  readonly capability: 'prompts' | 'resources';
  /** What an element is known by. */
  readonly key: string;
}

export const LIST_SHAPES: Readonly<Record<ListKind, ListShape>> = {
  prompts: { method: 'prompts/list', member: 'prompts', capability: 'prompts', key: 'name' },
  resources: { method: 'resources/list', member: 'resources', capability: 'resources', key: 'uri' },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    capability: 'resources',
    key: 'uriTemplate',
  },
};

export const listKindOf = (method: string): ListKind | undefined =>
  (Object.keys(LIST_SHAPES) as ListKind[]).find((kind) => LIST_SHAPES[kind].method === method);
