import { isJsonObject } from '@plugboard/base';
import { ownMember } from '../../document/json-schema.js';
import { appendPointer } from '../../document/pointer.js';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import type { SchemaView } from '../definition/schema-view.js';

export const keywords = (rule: RuleFor<'keywords'>, view: SchemaView): readonly Sighting[] => {
  const allowed = new Set(rule.allowed);
  return view.nodes.flatMap((node): readonly Sighting[] => {
    if (!isJsonObject(node.schema)) {
      const closed = node.keyword === 'additionalProperties' && allowed.has('additionalProperties');
      return closed ? [] : [{ pointer: node.pointer, message: 'A schema is true or false instead of an object.' }];
    }
    return Object.keys(node.schema)
      .filter((keyword) => !allowed.has(keyword))
      .map((keyword) => ({
        pointer: appendPointer(node.pointer, keyword),
        message: `"${keyword}" is not supported.`,
        fix: 'Remove it, and state the constraint in the description.',
      }));
  });
};

export const formats = (rule: RuleFor<'formats'>, view: SchemaView): readonly Sighting[] =>
  view.objects.flatMap(({ schema, pointer }) => {
    const format = ownMember(schema, 'format');
    return typeof format !== 'string' || rule.allowed.includes(format)
      ? []
      : [
          {
            pointer: appendPointer(pointer, 'format'),
            message: `The format "${format}" is not supported.`,
            fix: `Use one of ${rule.allowed.join(', ')}, or describe the format in words.`,
          },
        ];
  });

// lookaround, back references, atomic and named groups: no provider's grammar compiler takes them
const FANCY = /\(\?(?!:)|\\[1-9]|\\k<|\\[bB]|[*+?}]\+/u;

/** A pattern that a regular grammar can express. */
export const isPlainPattern = (pattern: string): boolean => !FANCY.test(pattern);

export const plainPatterns = (_rule: RuleFor<'plain-patterns'>, view: SchemaView): readonly Sighting[] =>
  view.objects.flatMap(({ schema, pointer }) => {
    const pattern = ownMember(schema, 'pattern');
    return typeof pattern !== 'string' || isPlainPattern(pattern)
      ? []
      : [
          {
            pointer: appendPointer(pointer, 'pattern'),
            message: 'The pattern uses lookaround, back references or other features that are not supported.',
            fix: 'Write it as a plain regular expression, or describe it in words.',
          },
        ];
  });
