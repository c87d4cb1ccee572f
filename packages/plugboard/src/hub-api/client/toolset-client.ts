import { type ToolsetCreate, type ToolsetUpdate, toolsetView, type ToolsetView } from '@plugboard/contract';
import type { HubApi } from '../hub-api.js';
import { type EntryClient, entryClient } from './entry-client.js';

export type ToolsetClient = EntryClient<ToolsetView, ToolsetCreate, ToolsetUpdate>;

export const toolsetClient = (api: HubApi): ToolsetClient =>
  entryClient(api, { kind: 'toolset', path: '/v1/toolsets', schema: toolsetView });
