import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { ConnectionLimits } from './connection-limits.ts';

/** As engine.io has it. */
class Connection extends EventEmitter {
  readyState = 'open' as const;
}
const connection = () => new Connection() as never;
const close = (one: never) => (one as Connection).emit('close');

test('an address holds 250 connections that have not signed in, and more that have', () => {
  const limits = new ConnectionLimits();
  const open = Array.from({ length: 250 }, connection);
  for (const one of open) limits.opened('192.0.2.1', one);
  expect(limits.mayOpen('192.0.2.1')).toBe(false);
  expect(limits.mayOpen('192.0.2.2')).toBe(true);
  limits.signedIn('anna', open[0]!);
  expect(limits.mayOpen('192.0.2.1')).toBe(true);
  limits.opened('192.0.2.1', connection());
  close(open[0]!);
  expect(limits.mayOpen('192.0.2.1')).toBe(false);
  close(open[1]!);
  expect(limits.mayOpen('192.0.2.1')).toBe(true);
});

test('an account holds 300 sockets; one connection counts once', () => {
  const limits = new ConnectionLimits();
  const open = Array.from({ length: 300 }, connection);
  for (const one of open) for (let i = 0; i < 3; i++) limits.signedIn('anna', one);
  expect(() => limits.signedIn('anna', connection())).toThrow('Too many requests');
  expect(() => limits.signedIn('boris', connection())).not.toThrow();
  close(open[0]!);
  limits.signedIn('anna', connection());
  expect(() => limits.signedIn('anna', connection())).toThrow('Too many requests');
});

test('a connection that closed while its session was looked up is not counted', () => {
  const limits = new ConnectionLimits();
  const gone = Object.assign(new Connection(), { readyState: 'closed' });
  expect(() => limits.signedIn('anna', gone as never)).toThrow('is closed');
});
