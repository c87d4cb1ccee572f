import { isJsonObject } from '@plugboard/base';
import { flag, listOf, text, withMembers, type Repair } from './member/repair.js';
import { LISTED_MEMBERS } from './member/shared-members.js';
import { namedResource } from './content.js';

const argument: Repair = (value) =>
  isJsonObject(value) && typeof value['name'] === 'string'
    ? withMembers(value, { title: text, description: text, required: flag })
    : undefined;

const PROMPT = { ...LISTED_MEMBERS, arguments: listOf(argument) } as const;

/** The lists beside that of tools, by their methods: the member that holds the list, and how an item is repaired. */
const LISTS: Readonly<Record<string, { readonly member: string; readonly repair: Repair }>> = {
  'prompts/list': {
    member: 'prompts',
    repair: (item) => (isJsonObject(item) && typeof item['name'] === 'string' ? withMembers(item, PROMPT) : undefined),
  },
  'resources/list': {
    member: 'resources',
    repair: (item) =>
      isJsonObject(item) && typeof item['uri'] === 'string' ? namedResource(item, item['uri']) : undefined,
  },
  'resources/templates/list': {
    member: 'resourceTemplates',
    repair: (item) =>
      isJsonObject(item) && typeof item['uriTemplate'] === 'string'
        ? namedResource(item, item['uriTemplate'])
        : undefined,
  },
};

/**
 * A page of prompts, resources or templates that every client can list. What has no name or address cannot be used by
 * anybody, and is left out. Undefined for other methods.
 */
export const repairList = (
  method: string,
  result: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined => {
  const list = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
  if (list === undefined) return undefined;
  const items = listOf(list.repair)(result[list.member]) ?? [];
  const whole = items === result[list.member] ? result : { ...result, [list.member]: items };
  return withMembers(whole, { nextCursor: text });
};
