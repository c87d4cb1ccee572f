import { isSecretMember as ofTheHub } from '@plugboard/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSecretMember } from './secret-member.js';

const PARTS = ['api', 'key', '_', '-', 'token', 'next', 'page', 'Secret', 'pass', 'phrase', 'word', 'wd', 'jwt', 'a'];
const WHOLE = ['authorization', 'cookie', 'pwd', 'credential', 'credentials', 'private_key', 'cursor-token', 'city'];

it('finds the same names as the hub', () => {
  const name = fc.oneof(
    fc.constantFrom(...WHOLE),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 5 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(fc.property(name, (text) => isSecretMember(text) === ofTheHub(text)));
  expect(WHOLE.map(isSecretMember)).toEqual([true, true, true, true, true, true, false, false]);
});
