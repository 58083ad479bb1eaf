import { io } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { type Person, until, type World } from './world.ts';

/** The bodies of a socket event that a user gets from now on, until the test ends. */
export async function listen<B>(
  world: World,
  who: Pick<Person, 'token'>,
  name: string,
  base = world.base,
): Promise<B[]> {
  const heard: B[] = [];
  const socket = io(base, { auth: { token: who.token }, transports: ['websocket'] });
  onTestFinished(() => void socket.disconnect());
  socket.on(name, (body: B) => heard.push(body));
  await until(async () => socket.connected, 'the socket connects');
  return heard;
}
