export interface Citation {
  readonly revision: string;
  readonly page: string;
  readonly anchor: string;
}
export const citationOf: (url: string) => Citation | undefined;
export const plainText: (mdx: string) => string;
export const sectionOf: (mdx: string, anchor: string) => string;
