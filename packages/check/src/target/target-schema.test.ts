import { expect, test } from 'vitest';
import { reportJsonSchema, targetJsonSchema } from './target-schema.js';

test('docs/check-target.schema.json is the schema of a target file', async () => {
  await expect(targetJsonSchema()).toMatchFileSnapshot('../../../../docs/check-target.schema.json');
});

test('docs/check-report.schema.json is the schema of a report', async () => {
  await expect(reportJsonSchema()).toMatchFileSnapshot('../../../../docs/check-report.schema.json');
});
