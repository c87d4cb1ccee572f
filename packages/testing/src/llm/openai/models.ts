import { Refusal } from '../script/refusal.js';
import type { SideRoute } from '../script/side-route.js';
import { jsonReply } from '../wire/reply.js';
import { authorize } from './read-openai.js';

const modelObject = (id: string) => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'double' });

export const openaiModels: readonly SideRoute[] = [
  {
    method: 'GET',
    path: /^\/v1\/models$/u,
    answer: (arrival, { reading }) => {
      authorize(arrival, reading);
      return jsonReply({ object: 'list', data: Object.keys(reading.models).map(modelObject) });
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/models\/(.+)$/u,
    answer: (arrival, { reading }, name = '') => {
      authorize(arrival, reading);
      const id = decodeURIComponent(name);
      if (!Object.hasOwn(reading.models, id)) {
        throw new Refusal({ status: 404, message: `The model '${id}' does not exist.`, code: 'model_not_found' });
      }
      return jsonReply(modelObject(id));
    },
  },
];
