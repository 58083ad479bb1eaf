export { expectUsable as fine } from './usable.ts';
