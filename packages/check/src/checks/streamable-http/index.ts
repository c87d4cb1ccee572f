import type { Check } from '../../model/check.js';
import { noResponseOnGet, oneStreamOnly } from './get-stream.js';
import { largeBody } from './large-body.js';
import { encodedName, headerCase, methodHeaderDiffers, methodHeaderMissing, nameHeader } from './mirrored-headers.js';
import { crossOrigin, foreignHost, foreignOrigin, loopbackOnly, ownOrigin } from './origin.js';
import { declarations, parameterHeaderChecked, unknownParameterHeader } from './parameters.js';
import { contentType, notificationAccepted, responseAccepted, strangeAccept, strangeContentType } from './posting.js';
import { eventIds, foreignReplay, primingEvent } from './resume.js';
import { sessionEnded, sessionIdMissing, sessionIdText, sessionUnknown } from './session-id.js';
import { noSessions } from './stateless.js';
import { streamEnds, streamHeaders, streamSyntax } from './stream.js';
import { deleteSession, getStream, otherVerbs } from './verbs.js';
import { badVersionHeader, noVersionHeader, versionMismatch } from './version-header.js';
import { chunkedRequest } from './wire.js';

export const streamableHttpChecks: readonly Check[] = [
  contentType,
  notificationAccepted,
  responseAccepted,
  strangeAccept,
  strangeContentType,
  foreignOrigin,
  ownOrigin,
  foreignHost,
  loopbackOnly,
  crossOrigin,
  getStream,
  deleteSession,
  otherVerbs,
  sessionIdText,
  sessionIdMissing,
  sessionEnded,
  sessionUnknown,
  badVersionHeader,
  noVersionHeader,
  streamSyntax,
  streamHeaders,
  streamEnds,
  oneStreamOnly,
  noResponseOnGet,
  eventIds,
  foreignReplay,
  primingEvent,
  methodHeaderMissing,
  methodHeaderDiffers,
  nameHeader,
  versionMismatch,
  headerCase,
  encodedName,
  parameterHeaderChecked,
  unknownParameterHeader,
  declarations,
  noSessions,
  chunkedRequest,
  largeBody,
];
