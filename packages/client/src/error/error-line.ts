/** `TypeError: x`, `java.io.IOException: x`, `Error [ERR_MODULE_NOT_FOUND]: x`. */
const NAMED_ERROR = /^(?:Uncaught )?(?:[\w$]+\.)*\w*(?:Error|Exception|Exit|Interrupt|Warning)\b(?: \[\w+\])?(?::|$)/u;
const PANIC = /^(?:panic:|fatal error:|thread '.*' panicked|Exception in thread|Unhandled exception|Traceback)/iu;
const TRACEBACK = /^Traceback \(most recent call last\)/u;
const COMPLAINT =
  /\b(?:error|fatal|cannot|can't|could not|not found|no such|denied|refused|missing|invalid|failed)\b/iu;
/** Places and excerpts that runtimes print around an error. */
const AROUND = /^(?:\s+at |\s+File "|Node\.js v\d|\s*[\^~]+\s*$|\s*[{}]\s*,?$|[^\s:]*:\d+(?::\d+)?$)/u;

const isUseful = (line: string): boolean => line.trim() !== '' && !AROUND.test(line);

/** Python prints the error after the stack, and the last of a chain is the one that ended the program. */
const afterTraceback = (lines: readonly string[]): string | undefined => {
  const start = lines.findLastIndex((line) => TRACEBACK.test(line));
  return start === -1 ? undefined : lines.slice(start + 1).find((line) => /^\S/u.test(line));
};

/**
 * The line in which a program says why it ended: the error itself, not the stack under it and not the banner of the
 * runtime. Undefined when it wrote nothing.
 */
export const errorLine = (lines: readonly string[]): string | undefined => {
  const found =
    afterTraceback(lines) ??
    lines.find((line) => NAMED_ERROR.test(line) || (PANIC.test(line) && !TRACEBACK.test(line))) ??
    lines.find((line) => isUseful(line) && COMPLAINT.test(line)) ??
    lines.findLast(isUseful);
  return found?.trim();
};
