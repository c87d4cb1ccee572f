import { isJsonObject } from '@plugboard/base';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import type { SchemaView } from '../definition/schema-view.js';

export const rootObject = (_rule: RuleFor<'root-object'>, { root }: SchemaView): readonly Sighting[] =>
  isJsonObject(root) && root['type'] === 'object'
    ? []
    : [
        {
          pointer: '',
          message: 'The schema is not of type "object".',
          fix: 'Declare "type": "object" at the root and put the parameters under "properties".',
        },
      ];

export const rootProperties = (_rule: RuleFor<'root-properties'>, { root }: SchemaView): readonly Sighting[] =>
  isJsonObject(root) && isJsonObject(root['properties'])
    ? []
    : [
        {
          pointer: '',
          message: 'The root has no "properties".',
          fix: 'Add "properties": {} when the tool takes no arguments.',
        },
      ];

export const rootKeywords = (rule: RuleFor<'root-keywords'>, { root }: SchemaView): readonly Sighting[] =>
  !isJsonObject(root)
    ? []
    : rule.forbidden
        .filter((keyword) => Object.hasOwn(root, keyword))
        .map((keyword) => ({
          pointer: `/${keyword}`,
          message: `"${keyword}" is used at the root.`,
          fix: 'Move it into a property, or describe the alternatives as one object.',
        }));
