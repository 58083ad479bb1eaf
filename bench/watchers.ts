// Cabinets that watch: sockets, and with `fetches` the list that each asks for again when it is told of changes.
import { io } from 'socket.io-client';

const { url, token, count, fetches } = JSON.parse(process.argv[2]!) as {
  url: string;
  token: string;
  count: number;
  fetches: boolean;
};
/** As the cabinet holds it: a fetch soon, then one every so often while there are changes. */
const FIRST_MS = 250;
const EVERY_MS = 2000;

let received = 0;
let fetched = 0;

function watch(): Promise<void> {
  const socket = io(url, { transports: ['websocket'], auth: { token } });
  let waits = false;
  let last = 0;
  const fetchList = async () => {
    waits = false;
    last = Date.now();
    const answer = await fetch(`${url}/api/sendings?$limit=16`, {
      headers: { authorization: token },
    });
    await answer.arrayBuffer();
    if (answer.ok) fetched++;
  };
  socket.on('sendings.updated', () => {
    received++;
    if (!fetches || waits) return;
    waits = true;
    setTimeout(() => void fetchList(), Math.max(FIRST_MS, last + EVERY_MS - Date.now()));
  });
  return new Promise((resolve) => socket.once('connect', resolve));
}

await Promise.all(Array.from({ length: count }, watch));
process.on('message', () => process.send!({ received, fetched }));
process.send!('watching');
