import { ModelError } from '../error/model-error.js';
import type { ModelBatches } from '../provider.js';

/** Batch jobs of Bedrock read and write buckets, with a role of the account: this library has access to neither. */
export const bedrockBatches = (provider: string): ModelBatches => {
  const refuse = async (): Promise<never> => {
    throw new ModelError('unsupported', {
      provider,
      said: 'its batch jobs read requests from S3 and write results to S3, and this library has no access to S3.',
      hint: 'Create the job with CreateModelInvocationJob of the AWS SDK, or send the requests one by one.',
    });
  };
  return { submit: refuse, poll: refuse, results: refuse, cancel: refuse };
};
