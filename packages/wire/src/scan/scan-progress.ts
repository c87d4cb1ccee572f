import { isUtf8 } from 'node:buffer';
import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace } from './skip-json.js';
import { isText, type Span } from './span.js';

/** The token in the parameters; undefined when there is none, or more than one. */
const tokenIn = (params: MemberCursor): Span | undefined => {
  let token: Span | undefined;
  while (params.next()) {
    const isToken = params.isNamed('progressToken');
    const { start } = params;
    const end = params.take();
    if (end === NOWHERE || (isToken && token !== undefined)) return undefined;
    if (isToken) token = { start, end };
  }
  return params.after === NOWHERE ? undefined : token;
};

/** Finds the token in the bytes of a progress notification. Undefined for whatever is not the plain form of one. */
export const scanProgress = (bytes: Uint8Array, depth: number): Span | undefined => {
  const message = new MemberCursor(bytes, skipSpace(bytes, 0), depth);
  let [hasVersion, hasMethod] = [false, false];
  let token: Span | undefined;
  while (message.next()) {
    const { start } = message;
    if (message.isNamed('jsonrpc') && !hasVersion) {
      hasVersion = isText(bytes, { start, end: message.take() }, '"2.0"');
      if (!hasVersion) return undefined;
    } else if (message.isNamed('method') && !hasMethod) {
      hasMethod = isText(bytes, { start, end: message.take() }, '"notifications/progress"');
      if (!hasMethod) return undefined;
    } else if (message.isNamed('params') && token === undefined) {
      const params = message.enter();
      token = tokenIn(params);
      if (token === undefined) return undefined;
      message.leave(params);
    } else {
      return undefined;
    }
  }
  const whole = message.after !== NOWHERE && skipSpace(bytes, message.after) === bytes.length;
  return whole && hasVersion && hasMethod && isUtf8(bytes) ? token : undefined;
};
