/** Whether the system failed with one of these codes, such as ENOENT. */
export const hasErrorCode = (thrown: unknown, ...codes: readonly string[]): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code));
