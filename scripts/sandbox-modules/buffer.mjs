export { Buffer, default } from 'buffer/index.js';
