import { expect, test } from 'vitest';
import { isGuessed, secretsIn, withoutSecrets } from './secret.js';

test('a format that only secrets have is told from words that look like one', () => {
  const kinds = secretsIn(`AKIA${'A'.repeat(16)} and password: successfully changed`);
  expect(kinds).toEqual(['a key of AWS', 'a password']);
  expect(kinds.map(isGuessed)).toEqual([false, true]);
});

test('both are replaced', () => {
  expect(withoutSecrets('postgres://admin:hunter2@db/main, api_key=12345678abc', '(hidden)')).not.toMatch(
    /hunter2|12345678/u,
  );
});
