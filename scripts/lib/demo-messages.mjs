import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from './project.mjs';

/** Lists of the demo world, as in seeds/demo.ts. */
const CUSTOMERS = '01930000-0000-7000-8000-000000000111';
const VIP = '01930000-0000-7000-8000-000000000112';
const POLL_MS = 2000;
const MAX_POLLS = 60;
const RECENT_MS = 3 * 60_000;
const FINAL = new Set(['delivered', 'seen', 'failed']);

/** The sessions of the script are listed on a picture: as those of a browser. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

async function call(url, token, path, body) {
  const answer = await fetch(`${url}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      'user-agent': BROWSER,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Trouble(`${path} at ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export async function signIn(url, username) {
  return (await call(url, null, 'login', { username, password: 'heliograph' })).token;
}

export const signOut = (url, token) => call(url, token, 'logout', {});

const sms = (text) => ({ sender: 'MIRTEA', text });
/** Test numbers, whose outcomes are known: delivered, seen, failed, with a reply, and Viber without an account. */
const SINGLES = [
  ['+79990000000', 'Анна, ваш заказ собран. Ждём вас до 21:00. Чайный дом'],
  ['+79990000002', 'Игорь, ваш заказ собран. Ждём вас до 21:00. Чайный дом'],
  ['+79990000010', 'Ольга, ждать вас завтра в 18:00? Ответьте «да» или «нет». Чайный дом'],
  ['+79990000009', 'Напоминаем о дегустации завтра в 18:00. Отказаться от сообщений: STOP'],
];
const FALLBACK = {
  type: 'viber',
  recipient: '+79990000008',
  payload: sms('Мария, ваш чай уже в пути. Курьер позвонит за час.'),
  fallbacks: [
    {
      type: 'sms',
      payload: sms('Мария, ваш чай уже в пути. Чайный дом'),
      options: { onStatus: ['failed'] },
    },
  ],
};
const BULKS = [
  {
    include: [CUSTOMERS],
    title: 'Новый урожай',
    text: '{firstName|Друзья}, новый урожай приехал!',
  },
  { include: [VIP], title: 'Дегустация для своих', text: '{firstName}, ждём вас в субботу.' },
];
const TOMORROW_MS = 86_400_000;

/** Messages of every outcome and tasks that are done and planned today: a demo product has those of former days. */
export async function sendDemoMessages(url, token) {
  const { data } = await call(url, token, 'sendings?$limit=1');
  const { data: tasks } = await call(url, token, 'tasks?$limit=100');
  if (!tasks.some(({ title }) => title === BULKS[0].title)) await sendBulks(url, token);
  // The home page shows the last five minutes.
  if (data[0] && Date.now() - Date.parse(data[0].createdAt) < RECENT_MS) return;
  const { data: optedOut } = await call(url, token, 'suppressions?$limit=100');
  // Who has replied STOP to the messages of another run gets no more of them.
  const left = SINGLES.filter(([recipient]) =>
    optedOut.every(({ address }) => address !== recipient),
  );
  for (const [recipient, text] of left)
    await call(url, token, 'sendings', { type: 'sms', recipient, payload: sms(text) });
  await call(url, token, 'sendings', FALLBACK);
  const last = async () => (await call(url, token, `sendings?$limit=${left.length + 2}`)).data;
  await until(async () => (await last()).every(({ state }) => FINAL.has(state.status)));
}

async function sendBulks(url, token) {
  const { total: before } = await call(url, token, 'tasks?state=completed&$limit=1');
  for (const { include, title, text } of BULKS)
    await call(url, token, 'sendings', bulk(include, title, text));
  const text = 'Весенний чай со скидкой 20% до воскресенья.';
  const delay = new Date(Date.now() + TOMORROW_MS).toISOString();
  const sale = bulk([CUSTOMERS], 'Весенняя распродажа', text);
  await call(url, token, 'sendings', { ...sale, schedule: { delay } });
  const completed = async () => (await call(url, token, 'tasks?state=completed&$limit=1')).total;
  await until(async () => (await completed()) >= before + BULKS.length);
}

async function until(isDone) {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    if (await isDone()) return;
    await sleep(POLL_MS);
  }
  throw new Trouble('The demo messages were not delivered in time.');
}

const bulk = (include, title, text) => ({
  type: 'sms',
  recipient: { include },
  payload: sms(text),
  options: { title },
});
