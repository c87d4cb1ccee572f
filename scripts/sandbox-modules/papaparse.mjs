export { default, default as Papa } from 'papaparse';
