import { countTokens } from '../script/reckon-usage.js';
import { refuse } from '../script/refusal.js';
import type { SideRoute } from '../script/side-route.js';
import { isObject, textIn } from '../wire/json-view.js';
import { jsonReply } from '../wire/reply.js';
import { authorize, readBody, readConversation, readModel } from './read-converse.js';
import type { AwsCredentials } from './signature.js';

/** The members of a conversation that is counted. Those of an inference, such as `inferenceConfig`, are unknown here. */
const MEMBERS = new Set(['messages', 'system', 'toolConfig', 'additionalModelRequestFields']);

/** CountTokens, for a conversation or for the body of InvokeModel. */
export const bedrockCountTokens = (credentials: AwsCredentials): SideRoute => ({
  method: 'POST',
  path: /^\/model\/([^/]+)\/count-tokens$/u,
  answer: (arrival, { reading }, encoded = '') => {
    authorize(arrival, reading, credentials);
    const { model } = readModel(encoded, reading);
    const { input } = readBody(arrival);
    const { converse, invokeModel, ...others } = isObject(input) ? input : {};
    const isOne = (converse === undefined) !== (invokeModel === undefined) && Object.keys(others).length === 0;
    if (!isOne) refuse('input must have exactly one of the members converse and invokeModel.');
    if (isObject(invokeModel)) {
      const body = Buffer.from(textIn(invokeModel['body']), 'base64').toString('utf8');
      return jsonReply({ inputTokens: countTokens(body) });
    }
    if (!isObject(converse)) return refuse('input.converse must be an object.');
    const stranger = Object.keys(converse).find((name) => !MEMBERS.has(name));
    if (stranger !== undefined) refuse(`Unknown member: ${stranger}`);
    return jsonReply({ inputTokens: readConversation(converse, model, reading).inputTokens });
  },
});
