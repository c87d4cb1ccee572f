import type { Profile } from '../definition/profile.js';
import { RECORDED, from, SOURCE } from './source.js';

const KEYWORDS = (
  'type format title description nullable enum default example properties required ' +
  'propertyOrdering minProperties maxProperties items minItems maxItems minLength maxLength ' +
  'pattern minimum maximum anyOf'
).split(' ');

/** `FunctionDeclaration.parameters`: a subset of OpenAPI 3.0 in which an unknown member refuses the whole request. */
export const gemini: Profile = {
  id: 'gemini',
  title: 'Gemini',
  kind: 'provider',
  recorded: RECORDED,
  nullStyle: 'nullable',
  rules: [
    {
      ...from('GEM-01', SOURCE.geminiDeclaration),
      check: 'tool-name',
      pattern: '^[a-zA-Z_][a-zA-Z0-9_.-]*$',
      max: 64,
    },
    { ...from('GEM-01', SOURCE.geminiDeclaration), check: 'unique-names' },
    { ...from('GEM-02', SOURCE.geminiCount), check: 'tool-count', max: 512 },
    { ...from('GEM-03', SOURCE.geminiKeyword), check: 'keywords', allowed: KEYWORDS },
    { ...from('GEM-03', SOURCE.geminiSchema), check: 'references', allowed: 'none' },
    {
      ...from('GEM-03', SOURCE.geminiSchema),
      check: 'formats',
      allowed: ['enum', 'date-time', 'float', 'double', 'int32', 'int64'],
    },
    { ...from('GEM-04', SOURCE.geminiType), check: 'single-type' },
    { ...from('GEM-04', SOURCE.geminiUnion), check: 'typed', by: ['type', 'anyOf'] },
    { ...from('GEM-04', SOURCE.geminiUnion), check: 'union-alone' },
    { ...from('GEM-04', SOURCE.geminiEnum), check: 'string-enums' },
    { ...from('GEM-05', SOURCE.geminiDepth, 'warning'), check: 'depth', max: 5 },
    { ...from('GEM-06', SOURCE.geminiDeclaration), check: 'property-keys', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' },
    { ...from('GEM-08', SOURCE.geminiRoot), check: 'root-object' },
    { ...from('GEM-08', SOURCE.geminiRoot), check: 'root-keywords', forbidden: ['anyOf'] },
    { ...from('GEM-09', SOURCE.geminiEmpty), check: 'declared-objects' },
    { ...from('GEM-09', SOURCE.geminiRequired), check: 'required-declared' },
    { ...from('GEM-10', SOURCE.geminiSchema), check: 'array-items' },
    { ...from('GEM-11', SOURCE.dialect), check: 'well-formed' },
  ],
};
