/** The version in package.json, which a bundle cannot read. */
export const VERSION = '0.1.0';
