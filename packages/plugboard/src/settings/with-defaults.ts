import { definedMembers } from '@plugboard/base';

/** A part of plugboard.json in which every member has a value. */
export type Complete<Part> = { readonly [Name in keyof Part]-?: Exclude<Part[Name], undefined> };

/** The defaults, with what was given in their place. */
export const withDefaults = <Part extends object>(
  defaults: Part,
  given: { readonly [Name in keyof Part]?: Part[Name] | undefined } = {},
): Part => ({ ...defaults, ...definedMembers(given) });
