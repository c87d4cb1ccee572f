import { expect, it } from 'vitest';
import { withinDeadline } from './hook-deadline.js';

const parent = new AbortController().signal;

it('gives what the hook gives, and passes its errors on', async () => {
  expect(await withinDeadline({ plugin: 'p', what: 'start', ms: 1_000, parent }, async () => 7)).toBe(7);
  const failing = withinDeadline({ plugin: 'p', what: 'start', ms: 1_000, parent }, () =>
    Promise.reject(new Error('x')),
  );
  await expect(failing).rejects.toThrow('x');
});

it('does not wait for a hook that ignores its signal', async () => {
  const late = withinDeadline({ plugin: 'p', what: 'start', ms: 5, parent }, () => new Promise(() => undefined));
  await expect(late).rejects.toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    message: 'The plug-in "p" did not start within 0.005 s.',
  });
  const controller = new AbortController();
  const ended = withinDeadline(
    { plugin: 'p', what: 'start', ms: 1_000, parent: controller.signal },
    () => new Promise(() => undefined),
  );
  controller.abort();
  await expect(ended).rejects.toMatchObject({ code: 'CANCELLED' });
});
