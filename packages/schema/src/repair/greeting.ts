import { isJsonObject } from '@plugboard/base';
import { flag, members, record, text, withMembers, type Repair } from './member/repair.js';
import { LISTED_MEMBERS } from './member/shared-members.js';

type Holder = Readonly<Record<string, unknown>>;

/** `true` is how some servers write that they can. */
const area =
  (repair: Repair): Repair =>
  (value) =>
    value === true ? {} : repair(value);

const areas: Repair = (value) =>
  isJsonObject(value)
    ? withMembers(value, Object.fromEntries(Object.keys(value).map((name) => [name, area(record)])))
    : undefined;

/** What a server says it can, in the form that clients accept. */
export const repairCapabilities = (capabilities: Holder): Holder =>
  withMembers(capabilities, {
    experimental: areas,
    extensions: areas,
    logging: area(record),
    completions: area(record),
    prompts: area(members({ listChanged: flag })),
    resources: area(members({ subscribe: flag, listChanged: flag })),
    tools: area(members({ listChanged: flag })),
    tasks: area(record),
  });

/** Who a server says it is; undefined when that cannot be told. */
export const repairServerInfo = (info: Holder): Holder | undefined => {
  if (typeof info['name'] !== 'string') return undefined;
  const versioned = typeof info['version'] === 'string' ? info : { ...info, version: '' };
  return withMembers(versioned, { ...LISTED_MEMBERS, websiteUrl: text });
};
