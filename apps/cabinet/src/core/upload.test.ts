import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ApiError } from '@heliograph/contract';
import type { upload as Upload } from './upload.ts';

afterAll(() => vi.resetModules());

class FakeRequest {
  static last: FakeRequest;
  upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onabort?: () => void;
  status = 200;
  response: unknown = { id: 'f' };
  open = vi.fn<(method: string, url: string) => void>();
  setRequestHeader = vi.fn<(name: string, value: string) => void>();
  send = vi.fn<(body: FormData) => void>();
  getResponseHeader = (name: string) => (name === 'retry-after' ? '30' : null);
  constructor() {
    FakeRequest.last = this;
  }
  abort(): void {
    this.onabort?.();
  }
}

const jwt = (name: string) => `x.${btoa(JSON.stringify({ sub: 'me', name }))}.y`;
const kept = new Map<string, string>();
let upload: typeof Upload;

beforeEach(async () => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('navigator', {});
  vi.resetModules();
  (await import('./session/session.ts')).session.start(jwt('t'));
  ({ upload } = await import('./upload.ts'));
});

vi.stubGlobal('XMLHttpRequest', FakeRequest);
afterEach(() => vi.clearAllMocks());

const file = new File(['tea'], 'tea.txt');

it('tells how far it is, and what was stored', async () => {
  const ratios: number[] = [];
  const stored = upload(file, (ratio) => ratios.push(ratio));
  const request = FakeRequest.last;
  request.upload.onprogress!({ loaded: 1, total: 4, lengthComputable: true });
  request.onload!();
  expect(await stored).toEqual({ id: 'f' });
  expect(ratios).toEqual([0.25]);
  expect(request.open).toHaveBeenCalledWith('POST', '/api/storage');
});

it('is aborted with its caller', async () => {
  const asker = new AbortController();
  const stored = upload(file, () => {}, asker.signal);
  asker.abort();
  await expect(stored).rejects.toMatchObject({ name: 'AbortError' });
});

/** Sends the file and refuses it once. */
function refused(): Promise<unknown> {
  const answer = upload(file, () => {}).catch((error: { status: number }) => error.status);
  FakeRequest.last.status = 401;
  FakeRequest.last.onload!();
  return answer;
}

it('is sent again with the token that has replaced its own meanwhile', async () => {
  kept.set('heliograph.token', jwt('u'));
  const answer = refused();
  const first = FakeRequest.last;
  await expect.poll(() => FakeRequest.last).not.toBe(first);
  expect(FakeRequest.last.setRequestHeader).toHaveBeenCalledWith('authorization', jwt('u'));
  FakeRequest.last.onload!();
  expect(await answer).toEqual({ id: 'f' });
});

it('is refused when the session has ended', async () => {
  expect(await refused()).toBe(401);
});

it('is not sent again when it was cancelled while another token was waited for', async () => {
  kept.set('heliograph.token', jwt('u'));
  const asker = new AbortController();
  const stored = upload(file, () => {}, asker.signal);
  const first = FakeRequest.last;
  first.status = 401;
  first.onload!();
  asker.abort();
  await expect(stored).rejects.toMatchObject({ name: 'AbortError' });
  expect(FakeRequest.last).toBe(first);
});

it('says how long to wait when there are too many', async () => {
  const stored = upload(file, () => {});
  FakeRequest.last.status = 429;
  FakeRequest.last.onload!();
  const refused = (await stored.catch((error: unknown) => error)) as ApiError;
  expect(refused.headers.get('retry-after')).toBe('30');
});
