import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  answer,
  channelOf,
  FakeHandler,
  readyHandler,
  refusal,
  REQUEST,
  WIDGET,
  widgetInfo,
} from '../test/fake-handler.ts';
import { HandlerClient } from './client.ts';
import { Session, type Check, type View } from './session.ts';

const POLL = 'GET longPolling/:id/channel';
const PHONE = '+7 902 000-00-01';

let session: Session;
let views: View[];
let checks: Check[];
const solveCaptcha = vi.fn<() => Promise<string>>();
const view = () => views.at(-1)!;
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  [views, checks] = [[], []];
  solveCaptcha.mockReset();
});
afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const KEY = expect.stringMatching(/^[\da-f]{32}$/) as string;

async function opened(): Promise<void> {
  session = new Session({
    client: new HandlerClient('https://otp.example'),
    widgetId: WIDGET,
    onView: (next) => views.push(next),
    onCheck: (check) => checks.push(check),
    onInfo: () => {},
    solveCaptcha,
  });
  await session.open();
}
async function started(): Promise<void> {
  await opened();
  await session.start(PHONE);
}

test('a code confirms the number and is reported once', async () => {
  const handler = readyHandler().on('POST :id/checkCode', answer({ success: true }, 201));
  await started();
  expect(view()).toMatchObject({ step: 'channel', recipient: PHONE, channel: { type: 'sms' } });
  await session.check('1234');
  expect(view()).toEqual({ step: 'confirmed' });
  expect(checks).toEqual([{ requestId: REQUEST, recipient: PHONE, status: 'confirmed' }]);
  expect(handler.calls.map(({ body }) => body).filter(Boolean)).toEqual([
    { widgetId: WIDGET, recipient: PHONE, idempotencyKey: KEY },
    { code: '1234' },
  ]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(checks).toHaveLength(1);
});

test('a wrong code says how many attempts are left', async () => {
  readyHandler()
    .on('POST :id/checkCode', refusal(400, 'InvalidCode'))
    .on('GET :id/channel', answer(channelOf({ remainingCodeAttempts: 2, version: 'v2' })));
  await started();
  await session.check('0000');
  expect(view()).toMatchObject({
    step: 'channel',
    isBusy: false,
    error: 'InvalidCode',
    channel: { remainingCodeAttempts: 2 },
  });
  expect(checks).toEqual([{ requestId: REQUEST, recipient: PHONE, status: 'error' }]);
});

test('the next channel is taken from a long poll, with the version that is known', async () => {
  const handler = readyHandler();
  await started();
  const voice = channelOf({ type: 'voice', version: 'v2' });
  handler.on(POLL, answer(voice));
  await settle();
  expect(view()).toMatchObject({ channel: { type: 'voice' } });
  await vi.advanceTimersByTimeAsync(1000);
  const polls = handler.calls.filter(({ path }) => path.startsWith('longPolling'));
  expect(polls.map(({ path }) => path.split('?')[1])).toEqual(['version=v1', 'version=v2']);
});

test('a push that is confirmed on the phone confirms the number', async () => {
  const push = channelOf({ type: 'sim_push', codeType: 'codeless' });
  const handler = readyHandler(widgetInfo(), push);
  await started();
  handler.on(POLL, answer({ ...push, status: 'confirmed', version: 'v2' }));
  await settle();
  expect(view()).toEqual({ step: 'confirmed' });
  expect(checks).toEqual([{ requestId: REQUEST, recipient: PHONE, status: 'confirmed' }]);
});

test('polling goes on after a timeout, and sees what changed in between', async () => {
  const handler = readyHandler()
    .on(POLL, refusal(408, 'LongPollingTimeout'))
    .on('GET :id/channel', answer(channelOf({ type: 'viber', version: 'v2' })));
  await started();
  await settle();
  expect(view()).toMatchObject({ channel: { type: 'viber' }, isOffline: false });
  await vi.advanceTimersByTimeAsync(1000);
  expect(handler.calls.at(-1)!.path).toBe('longPolling/:id/channel?version=v2');
});

test('a lost connection is tried again ever more slowly, and nothing after the end', async () => {
  const handler = readyHandler().on(POLL, ...Array<'offline'>(20).fill('offline'));
  await started();
  await settle();
  const polls = () => handler.calls.filter(({ path }) => path.startsWith('longPolling')).length;
  expect([polls(), view()]).toMatchObject([1, { isOffline: true }]);
  await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000);
  expect(polls()).toBe(4);
  await vi.advanceTimersByTimeAsync(60_000);
  // After 8, 16, 30 seconds.
  expect(polls()).toBe(7);
  session.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(polls()).toBe(7);
});

test('a handler that answers at once is asked once a second', async () => {
  const handler = readyHandler().on(POLL, ...Array.from({ length: 50 }, () => answer(channelOf())));
  await started();
  await vi.advanceTimersByTimeAsync(5000);
  expect(handler.calls.filter(({ path }) => path.startsWith('longPolling'))).toHaveLength(6);
});

test.each(['NoAvailableChannels', 'AttemptsExpired', 'SessionClosed', 'SessionNotFound'])(
  '%s ends the session',
  async (name) => {
    readyHandler().on(POLL, refusal(400, name));
    await started();
    await settle();
    expect(view()).toEqual({ step: 'ended', error: name });
    await session.again();
    expect(view()).toEqual({ step: 'phone', isBusy: false, recipient: PHONE });
  },
);

test('a resend waits for its time and shows what is new', async () => {
  const handler = readyHandler().on('POST :id/resend', answer({ success: true }, 201));
  await started();
  await session.resend();
  expect(handler.count('POST :id/resend')).toBe(0);
  await vi.advanceTimersByTimeAsync(30_000);
  handler.on('GET :id/channel', answer(channelOf({ resendAt: null, version: 'v2' })));
  await session.resend();
  expect(view()).toMatchObject({ step: 'channel', isBusy: false, resendAt: null });
});

test('an expired code is asked about rarely, and another one is followed at once', async () => {
  const expired = Array.from({ length: 3 }, () => refusal(400, 'ResendChannel'));
  const resendAt = new Date(Date.now() + 5000).toISOString();
  const handler = readyHandler(widgetInfo(), channelOf({ resendAt })).on(POLL, ...expired);
  await started();
  handler.on('GET :id/channel', ...expired);
  await vi.advanceTimersByTimeAsync(25_000);
  const polls = () => handler.calls.filter(({ path }) => path.startsWith('longPolling'));
  expect(polls()).toHaveLength(3);
  expect(view()).toMatchObject({ step: 'channel', isOffline: false });
  handler
    .on('POST :id/resend', answer({ success: true }, 201))
    .on('GET :id/channel', answer(channelOf({ version: 'v2' })));
  await session.resend();
  await settle();
  expect(polls().at(-1)!.path).toBe('longPolling/:id/channel?version=v2');
});

test('times are those of the server, whatever the clock of the device says', async () => {
  const hour = 3_600_000;
  const at = (ms: number) => new Date(Date.now() + hour + ms).toISOString();
  readyHandler(widgetInfo(), channelOf({ expiresAt: at(60_000), resendAt: at(30_000) }));
  await started();
  expect(view()).toMatchObject({ expiresAt: Date.now() + 60_000, resendAt: Date.now() + 30_000 });
});

test('a captcha is solved only when it is asked for', async () => {
  const handler = new FakeHandler()
    .on('GET widget/:widget', answer(widgetInfo({ captchaIsRequired: true })))
    .on('POST ', refusal(403, 'CaptchaNotConfirmed'), answer({ requestId: REQUEST }, 201))
    .on('GET :id/channel', answer(channelOf()));
  solveCaptcha.mockResolvedValue('token');
  await started();
  expect(views.map((one) => one.step === 'phone' && one.isChecked)).toContain(true);
  expect(handler.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { widgetId: WIDGET, recipient: PHONE, idempotencyKey: KEY },
    { widgetId: WIDGET, recipient: PHONE, idempotencyKey: KEY, captchaToken: 'token' },
  ]);
  expect(view()).toMatchObject({ step: 'channel' });
});

test('a session whose first channel could not be read is taken up again', async () => {
  const handler = new FakeHandler()
    .on('GET widget/:widget', answer(widgetInfo()))
    .on('POST ', answer({ requestId: REQUEST }, 201))
    .on('GET :id/channel', 'offline', answer(channelOf()));
  await started();
  expect(view()).toMatchObject({ step: 'phone', error: 'Network' });
  await session.start(PHONE);
  expect(view()).toMatchObject({ step: 'channel', recipient: PHONE });
  expect(handler.count('POST ')).toBe(1);
});

test('a session that has ended before its channel was read is not taken up again', async () => {
  const handler = new FakeHandler()
    .on('GET widget/:widget', answer(widgetInfo()))
    .on('POST ', ...Array.from({ length: 2 }, () => answer({ requestId: REQUEST }, 201)))
    .on('GET :id/channel', refusal(404, 'SessionNotFound'), answer(channelOf()));
  await started();
  await session.start(PHONE);
  expect(view()).toMatchObject({ step: 'channel' });
  expect(handler.count('POST ')).toBe(2);
});

test('a number that cannot be one is not sent', async () => {
  const handler = readyHandler();
  await opened();
  await session.start('12');
  expect(view()).toMatchObject({ step: 'phone', error: 'InvalidRecipient' });
  expect(handler.count('POST ')).toBe(0);
});

test.each([
  [refusal(404, 'WidgetNotFound'), 'WidgetNotFound'],
  [refusal(403, 'Forbidden'), 'Forbidden'],
  [answer(widgetInfo({ isBlocked: true })), 'WidgetIsBlocked'],
  [answer(widgetInfo({ isActive: false })), 'WidgetIsBlocked'],
  ['offline' as const, 'Network'],
])('a widget that cannot be used says why', async (given, error) => {
  new FakeHandler().on('GET widget/:widget', given);
  await opened();
  expect(view()).toEqual({ step: 'unavailable', error });
});

test('a start whose answer was lost is repeated with its key, that of another number has another one', async () => {
  const handler = new FakeHandler()
    .on('GET widget/:widget', answer(widgetInfo()))
    .on('POST ', 'offline', 'offline', answer({ requestId: REQUEST }, 201))
    .on('GET :id/channel', answer(channelOf()));
  await started();
  expect(view()).toMatchObject({ step: 'phone', error: 'Network' });
  await session.start(PHONE);
  await session.start('+7 902 000-00-02');
  expect(view()).toMatchObject({ step: 'channel' });
  const [lost, repeated, other] = handler.calls
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (body as { idempotencyKey: string }).idempotencyKey);
  expect(repeated).toBe(lost);
  expect(other).not.toBe(lost);
});
