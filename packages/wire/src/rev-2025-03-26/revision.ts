import { rev20241105 } from '../rev-2024-11-05/revision.js';
import type { Revision } from '../revision/revision.js';

export const rev20250326: Revision = Object.freeze<Revision>({
  ...rev20241105,
  id: '2025-03-26',
  features: Object.freeze({ ...rev20241105.features, batching: true, resumableStreams: true }),
});
