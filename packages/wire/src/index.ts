export { isJsonObject, type JsonObject } from '@plugboard/base';
export { buildFailure, buildNotification, buildRequest, buildResult } from './envelope/build-message.js';
export { classifyMessage, type Classified } from './envelope/classify-message.js';
export {
  type JsonRpcErrorBody,
  type JsonRpcFailure,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type JsonRpcResult,
  type RequestId,
} from './envelope/json-rpc.js';
export { parseMessages } from './envelope/parse-messages.js';
export { isModernOnlyCode, RPC_CODE } from './envelope/rpc-code.js';
export { encodeLine } from './framing/encode-line.js';
export { encodeSse, encodeSseComment, type SseFields } from './framing/encode-sse.js';
export { type SseEvent } from './framing/sse-event.js';
export { DEFAULT_MAX_EVENT_CHARS, SseReader, type SseReaderOptions } from './framing/sse-reader.js';
export { decodeHeaderValue, encodeHeaderValue } from './header/header-value.js';
export { encodeParamHeaders, readParamHeaders, type ParamHeader, type ParamHeaders } from './header/param-header.js';
export {
  ASSUMED_REVISION,
  chooseRevision,
  findRevision,
  HTTP_SSE_REVISION,
  LATEST_LEGACY,
  LATEST_MODERN,
  revisionOf,
} from './codec/codec.js';
export { META_KEY } from './revision/meta-key.js';
export { readModernMeta, type ModernMeta } from './revision/read-meta.js';
export {
  type Era,
  type Features,
  type MethodSets,
  type RequestIdentity,
  type Revision,
  type RevisionId,
} from './revision/revision.js';
export { cutMembers } from './scan/cut-members.js';
export { hasMoreItems, messageHead, type MessageHead } from './scan/outline.js';
export { longStrings } from './scan/long-strings.js';
export { objectMembers, resultMembers, type MemberSpan } from './scan/result-members.js';
export { scanAnswer, type AnswerSpans } from './scan/scan-answer.js';
export { PLAIN_METHODS, scanRequest, type PlainMethod, type RequestSpans } from './scan/scan-request.js';
export { scanProgress } from './scan/scan-progress.js';
export { isText, splice, type Edit, type Span } from './scan/span.js';
