import { Injectable } from '@nestjs/common';
import type { Webhook as Wire } from '@heliograph/contract';
import { randomBytes, type KeyObject } from 'node:crypto';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { invalid } from '../../core/errors.ts';
import { signingKey } from '../../core/http/standard-webhooks.ts';
import type { Webhook } from './webhook.entity.ts';

type HeaderInput = { name: string; value?: string | null };
export type HeaderValues = Record<string, string>;

const SECRET_BYTES = 32;
/** Headers whose values are shown. */
const SHOWN = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

const purposeOf = (OwnerId: string) => `webhooks ${OwnerId}`;

/** The secrets of a webhook, which are stored encrypted: the signature's and the values of headers. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly box: SecretBox) {}

  async create(OwnerId: string): Promise<{ secret: string; sealed: Buffer }> {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: await this.box.seal(secret, purposeOf(OwnerId)) };
  }

  /** A secret that is used in another form than those of webhooks. */
  sealText(OwnerId: string, text: string): Promise<Buffer> {
    return this.box.seal(text, purposeOf(OwnerId));
  }

  openText({ OwnerId, secret }: Pick<Webhook, 'OwnerId' | 'secret'>): Promise<string> {
    return this.box.open(secret, purposeOf(OwnerId));
  }

  /** The keys that sign now, that of the current secret first. */
  async signing(
    row: Pick<Webhook, 'OwnerId' | 'secret' | 'previousSecret' | 'previousUntil'>,
    now: Date,
  ): Promise<KeyObject[]> {
    const sealed = [row.secret];
    if (row.previousSecret && row.previousUntil! > now) sealed.push(row.previousSecret);
    const purpose = purposeOf(row.OwnerId);
    return Promise.all(sealed.map(async (one) => signingKey(await this.box.open(one, purpose))));
  }

  async headers({
    OwnerId,
    headerValues,
  }: Pick<Webhook, 'OwnerId' | 'headerValues'>): Promise<HeaderValues> {
    if (!headerValues) return {};
    return JSON.parse(await this.box.open(headerValues, purposeOf(OwnerId))) as HeaderValues;
  }

  /** The columns of headers. One without a value keeps that of `stored`, by its name. */
  async seal(
    OwnerId: string,
    headers: HeaderInput[],
    stored: HeaderValues,
  ): Promise<{ headers: Wire['headers']; headerValues: Buffer | null }> {
    const values: HeaderValues = {};
    headers.forEach(({ name, value }, i) => {
      const key = name.toLowerCase();
      if (Object.hasOwn(values, key))
        throw invalid(`headers.${i}.name`, 'unique', 'The header is given twice');
      const given = value ?? (Object.hasOwn(stored, key) ? stored[key] : undefined);
      if (given === undefined)
        throw invalid(`headers.${i}.value`, 'required', 'The value of the header is required');
      values[key] = given;
    });
    const shown = headers.map(({ name }) => {
      const key = name.toLowerCase();
      return { name, value: SHOWN.has(key) ? values[key]! : null };
    });
    const sealed = headers.length
      ? await this.box.seal(JSON.stringify(values), purposeOf(OwnerId))
      : null;
    return { headers: shown, headerValues: sealed };
  }
}
