const WORDS = /secret|token|passw|api[-_ ]?key|credential|authorization/iu;

/** Many collections hold secrets as plain variables; those are not shown either. */
export const soundsSecret = (name: string): boolean => WORDS.test(name);
