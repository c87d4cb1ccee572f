import { expect, it } from 'vitest';
import { paintTone } from './paint-tone.js';
import { styleFor } from './style.js';

const style = styleFor(true);

it.each([
  ['good', style.green('x')],
  ['fair', style.yellow('x')],
  ['bad', style.red('x')],
  ['dim', style.dim('x')],
  ['plain', 'x'],
] as const)('%s is %o', (tone, painted) => {
  expect(paintTone(tone, 'x', style)).toBe(painted);
  expect(paintTone(tone, 'x', styleFor(false))).toBe('x');
});
