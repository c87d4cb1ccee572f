export * from 'lodash-es';
export { default } from 'lodash-es';
