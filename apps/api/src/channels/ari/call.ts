import { z } from 'zod';

import type { SendingErrorCode } from '@heliograph/domain';
import { currentTime } from '../../core/time.ts';
import {
  type CarrierMessage,
  type CarrierReport,
  ChannelDown,
  UnknownOutcome,
} from '../channel.ts';
import { type AriClient, type AriEvent, type Leg, timeOf } from './ari-client.ts';
import { failureByCause } from './causes.ts';

/** What a call needs to go on in another worker. Asterisk keeps it in a variable of the channel. */
export const Script = z.object({
  from: z.string(),
  to: z.string(),
  /** What the person hears: the address of a sound, or a file of the account. */
  play: z
    .object({ url: z.string() })
    .or(z.object({ file: z.string() }))
    .optional(),
});
export type Script = z.output<typeof Script>;
export const SCRIPT_VARIABLE = 'HELIOGRAPH_SCRIPT';
/** When the call was answered, by the clock of Asterisk: for another worker. */
export const ANSWERED_VARIABLE = 'HELIOGRAPH_ANSWERED';

export interface CallName {
  type: 'voice' | 'flashcall';
  reference: string;
}

/** What calls need of their channel. */
export interface CallParts {
  client: AriClient;
  /** Of what nobody waits for. */
  signal: AbortSignal;
  answerMs: number;
  /** An address of a file of an account that works for some minutes. */
  linkOf(file: string): Promise<string>;
  report(report: CarrierReport): Promise<void>;
  receive(message: CarrierMessage): Promise<void>;
}

const MAX_DIGITS = 40;

/** One call, from dialling to its end. What happens to it is handled in order. */
export class Call {
  /** Asterisk has taken it. */
  isPlaced = false;
  /** The call is to end, whatever else happens. */
  isOver = false;
  private isAnswered = false;
  /** By the clock of Asterisk; undefined of a call that was answered while nobody listened. */
  private answeredAt: Date | undefined;
  private isOurs = false;
  private reported: 'delivered' | 'failed' | undefined;
  private playing: 'no' | 'asked' | 'done' = 'no';
  private digits = '';
  private replies = 0;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly id: string,
    private readonly name: CallName,
    private readonly parts: CallParts,
    private script?: Script,
  ) {}

  /** Resolves when everything before is handled. */
  get handled(): Promise<unknown> {
    return this.last;
  }

  handle(event: AriEvent): void {
    this.isPlaced = true;
    this.last = this.last.then(() => this.take(event).catch(() => undefined));
  }

  /** Goes on from the state in which the call was found. */
  resume(leg: Leg, now: Date): void {
    this.last = this.last.then(() => this.takeUp(leg, now).catch(() => undefined));
  }

  /** The call has ended while nobody listened. */
  vanish(now: Date): void {
    clearTimeout(this.timer);
    this.last = this.last.then(async () => {
      await this.reply(now).catch(() => undefined);
      if (this.isAnswered && this.name.type === 'voice') await this.report('delivered', now);
    });
  }

  /** Ends the call. What fails is tried again by the channel. */
  async hangUp(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    const { client, signal } = this.parts;
    await client
      .call('DELETE', `channels/${this.id}?reason=normal`, { signal }, { expected: [404] })
      .catch(() => undefined);
  }

  /** No timer goes on. The call itself does. */
  leave(): void {
    clearTimeout(this.timer);
  }

  private async take(event: AriEvent): Promise<void> {
    const at = timeOf(event, new Date(currentTime()));
    switch (event.type) {
      case 'StasisStart':
        this.isOurs = true;
        this.noteAnswer(event.channel!.state, at);
        return this.progress(event.channel!.state, at);
      case 'ChannelStateChange':
        this.noteAnswer(event.channel!.state, at);
        return this.progress(event.channel!.state, at);
      case 'ChannelDtmfReceived':
        return this.press(event.digit ?? '', at);
      case 'PlaybackFinished':
        return this.played(event.playback!.state, at);
      case 'ChannelDestroyed':
        return this.end(event, at);
    }
  }

  private async takeUp({ state, dialplan }: Leg, now: Date): Promise<void> {
    if (dialplan?.app_name === 'Stasis') this.isOurs = true;
    const { client, signal } = this.parts;
    // While it can be read.
    if (this.name.type === 'voice') {
      await this.scriptOf().catch(() => undefined);
      if (state === 'Up') await this.recallAnswer().catch(() => undefined);
    }
    if (this.playing === 'asked') {
      const path = `playbacks/${this.id}`;
      const { status } = await client.call('GET', path, { signal }, { expected: [404] });
      if (status === 404) return this.played('done', now);
    }
    return this.progress(state, now);
  }

  /** StasisStart comes when the phone is dialled or when it is answered: neither alone is an answer. */
  private async progress(state: string, at: Date): Promise<void> {
    if (this.name.type === 'flashcall') {
      if (state === 'Ringing') await this.report('delivered', at);
      // Answered without ringing: by a machine, which shows nobody the number.
      else if (state === 'Up') await this.report('failed', at, 'absent_subscriber');
      else return;
      return this.hangUp();
    }
    if (state === 'Up') this.isAnswered = true;
    if (this.isAnswered && this.isOurs && this.playing === 'no' && !this.isOver)
      await this.play(at);
  }

  /** The first event counts that shows the call answered. */
  private noteAnswer(state: string, at: Date): void {
    if (state === 'Up') this.answeredAt ??= at;
  }

  /** What cannot be kept is known to this worker alone. */
  private async keepAnswer(): Promise<void> {
    if (!this.answeredAt) return;
    const { client, signal } = this.parts;
    const value = this.answeredAt.toISOString();
    const query = new URLSearchParams({ variable: ANSWERED_VARIABLE, value });
    const path = `channels/${this.id}/variable?${query}`;
    await client.call('POST', path, { signal }, { expected: [404, 409] }).catch(() => undefined);
  }

  private async recallAnswer(): Promise<void> {
    if (this.answeredAt) return;
    const { client, signal } = this.parts;
    const path = `channels/${this.id}/variable?variable=${ANSWERED_VARIABLE}`;
    const { document } = await client.call('GET', path, { signal });
    const { value } = z.object({ value: z.iso.datetime() }).parse(document);
    this.answeredAt = new Date(value);
  }

  private async play(at: Date): Promise<void> {
    const { client, signal } = this.parts;
    this.playing = 'asked';
    try {
      const media = [`sound:${await this.soundOf()}`];
      const path = `channels/${this.id}/play/${this.id}`;
      const options = { body: { media }, expected: [404, 409] };
      const { status } = await client.call('POST', path, { signal }, options);
      // It has hung up, or is not ours yet: events say more.
      if (status === 409) {
        this.playing = 'no';
        this.isOurs = false;
      } else void this.keepAnswer();
    } catch (error) {
      const isKnown = error instanceof ChannelDown || error instanceof UnknownOutcome;
      const text = `not played: ${isKnown ? error.message : (error as Error).name}`;
      await this.report('failed', at, 'undeliverable', { text });
      await this.hangUp();
    }
  }

  private async soundOf(): Promise<string> {
    const { play } = await this.scriptOf();
    if (!play) throw new UnknownOutcome('the call has no sound');
    return 'url' in play ? play.url : this.parts.linkOf(play.file);
  }

  /** Of a call that another worker has placed. */
  private async scriptOf(): Promise<Script> {
    const { client, signal } = this.parts;
    if (this.script) return this.script;
    const path = `channels/${this.id}/variable?variable=${SCRIPT_VARIABLE}`;
    const { document } = await client.call('GET', path, { signal });
    const { value } = z.object({ value: z.string() }).parse(document);
    this.script = Script.parse(JSON.parse(value));
    return this.script;
  }

  private async played(state: string, at: Date): Promise<void> {
    if (this.isOver) return;
    this.playing = 'done';
    if (state === 'failed') {
      const text = 'Asterisk could not play the sound.';
      await this.report('failed', at, 'invalid_payload', { text });
      return this.hangUp();
    }
    await this.report('delivered', at);
    if (!this.parts.answerMs) return this.hangUp();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.hangUp(), this.parts.answerMs);
  }

  /** The keys that are pressed up to # or to the end of the call are one answer. */
  private async press(digit: string, at: Date): Promise<void> {
    if (this.name.type !== 'voice') return;
    if (digit === '#') return this.reply(at);
    if (this.digits.length < MAX_DIGITS) this.digits += digit;
  }

  private async reply(at: Date): Promise<void> {
    if (!this.digits) return;
    const text = this.digits;
    this.digits = '';
    const { from, to } = await this.scriptOf();
    const id = `${this.id}.${++this.replies}`;
    await this.parts.receive({ id, type: 'voice', from: to, to: from, text, at });
  }

  private async end({ cause, cause_txt: text }: AriEvent, at: Date): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    await this.reply(at).catch(() => undefined);
    // Who hangs up before the end has heard as much as they wanted.
    if (this.isAnswered) return this.record(at);
    const words = { ...(cause && { carrierCode: cause }), ...(text && { text }) };
    await this.report('failed', at, failureByCause(cause), words);
  }

  /** The call has ended: for how long it was answered, if that is known. One that was not heard has failed for whatever time. */
  private async record(at: Date): Promise<void> {
    if (this.reported === 'failed') return;
    if (!this.answeredAt) return this.report('delivered', at);
    this.reported = 'delivered';
    const { reference } = this.name;
    const seconds = Math.max(0, Math.ceil((+at - +this.answeredAt) / 1000));
    await this.parts.report({ reference, status: 'delivered', at, seconds });
  }

  /** The first outcome counts. */
  private async report(
    status: 'delivered' | 'failed',
    at: Date,
    code?: SendingErrorCode,
    said: { carrierCode?: number; text?: string } = {},
  ): Promise<void> {
    if (this.reported) return;
    this.reported = status;
    const { reference } = this.name;
    await this.parts.report({ reference, status, at, ...(code && { code }), ...said });
  }
}
