/** `{{ NAME }}`, `{{ NAME | default }}` and `${NAME}`. Names are upper case, so prose in braces is left alone. */
export const TEMPLATE_REFERENCE =
  /\{\{\s*(?<name>[A-Z_][A-Z0-9_]*)\s*(?:\|(?<fallback>[^}]*))?\}\}|\$\{(?<plain>[A-Z_][A-Z0-9_]*)\}/gu;

/** Does a variable fill in a part of this text? */
export const hasReference = (text: string): boolean => text.search(TEMPLATE_REFERENCE) !== -1;
