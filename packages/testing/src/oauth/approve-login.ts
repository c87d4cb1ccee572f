import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';

const ACCOUNT = 'somebody';

const grantFor = async (provider: Provider, details: Awaited<ReturnType<Provider['interactionDetails']>>) => {
  const { grantId, params, prompt } = details;
  const held = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = held ?? new provider.Grant({ accountId: ACCOUNT, clientId: String(params['client_id']) });
  const scope = typeof params['scope'] === 'string' ? params['scope'] : '';
  grant.addOIDCScope(scope);
  const missing = prompt.details['missingResourceScopes'] as Record<string, readonly string[]> | undefined;
  for (const [resource, scopes] of Object.entries(missing ?? {})) grant.addResourceScope(resource, scopes.join(' '));
  if (typeof params['resource'] === 'string') grant.addResourceScope(params['resource'], scope);
  return grant.save();
};

/** Logs in and consents, or declines, in place of a person. */
export const approveLogin = async (
  provider: Provider,
  {
    request,
    response,
    decision,
  }: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly decision: 'approve' | 'decline';
  },
): Promise<void> => {
  if (decision === 'decline') {
    const refusal = { error: 'access_denied', error_description: 'the person declined' };
    return await provider.interactionFinished(request, response, refusal);
  }
  const details = await provider.interactionDetails(request, response);
  const consent = { grantId: await grantFor(provider, details) };
  return await provider.interactionFinished(
    request,
    response,
    { login: { accountId: ACCOUNT }, consent },
    { mergeWithLastSubmission: true },
  );
};
