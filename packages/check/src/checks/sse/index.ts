import type { Check } from '../../model/check.js';
import { endpointEvent, messageEvents, sameOrigin, unknownSession } from './endpoint.js';
import { originChecked, separateStreams } from './isolation.js';

export const sseChecks: readonly Check[] = [
  endpointEvent,
  sameOrigin,
  messageEvents,
  unknownSession,
  originChecked,
  separateStreams,
];
