import { otpHandler, type ApiError } from '@heliograph/contract';
import { beforeEach } from 'vitest';
import { setCarrier } from '../factories.ts';
import { otpSent } from '../otp.ts';
import { type Person, World } from '../world.ts';

/** What the handler answers to a refused call. */
export interface Refusal {
  type: string;
  httpStatus: number;
  message: string;
  payload?: object;
}

/** The world that all tests of one-time codes share, and its short ways to the handler. */
export class OtpScene {
  world: World;
  owner: Person;
  private phones = 0;

  async start(): Promise<void> {
    this.world = await World.start({ TRUST_PROXY: '1', OTP_POLL_SECONDS: '2', DEMO: '1' });
    await setCarrier(this.world, {});
    await this.world.startWorker();
    this.owner = await this.world.person();
  }

  /** What each test has, with a phone of its own. */
  beforeEach(set: (given: { world: World; owner: Person; phone: string }) => void): void {
    beforeEach(() => set({ world: this.world, owner: this.owner, phone: this.newPhone() }));
  }

  /** Of a range of its own, since ranges are limited, too. */
  newPhone = (): string => `+7902${String(1_000_000 + this.phones++ * 1000)}`;

  visitor = (base?: string) => this.world.client(undefined, base);

  sql = <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    this.world.db.query<R>(text, values);

  check = (requestId: string, code: string) =>
    this.visitor()(otpHandler.checkCode, { ...at(requestId), body: { code } });

  /** A session that was confirmed with its code. */
  confirmed = async (widgetId: string, phone: string): Promise<string> => {
    const { id, code } = await otpSent(this.world, widgetId, phone);
    await this.check(id, code);
    return id;
  };

  finish = (id: string, recipient: string, by = this.owner) =>
    by.api(otpHandler.checkStatusAndComplete, { ...at(id), query: { recipient } });
}

export const from = (ip: string) => ({ 'x-forwarded-for': ip });
export const at = (requestId: string) => ({ params: { requestId } });

/** A code that is not this one. */
export const wrong = (code: string) =>
  code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`;

/** The body of the refusal; undefined if the call succeeds. */
export const refusal = (call: Promise<unknown>): Promise<Refusal | undefined> =>
  call.then(
    () => undefined,
    (error: ApiError) => error.body as Refusal,
  );
export const errorOf = async (call: Promise<unknown>) => (await refusal(call))?.type;
