import { Injectable } from '@nestjs/common';
import { AddressRange, EFFECTS, type otpWidgets } from '@heliograph/contract';
import { Audit } from '../../../core/audit/audit.ts';
import { ownScope, requireAll, type Actor } from '../../../core/auth/actor.ts';
import { ANY_ADDRESS, isAmbiguousRange, normalizeRange } from '../../../core/auth/addresses.ts';
import { changesOf } from '../../../core/changes.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError, assertFound, invalid } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { Quotas } from '../../../core/quotas.ts';
import { OtpCaptchas } from '../handler/otp-captchas.service.ts';
import { OtpChannelsStore } from './otp-channels.store.ts';
import type { OtpWidget, WidgetChannel } from './otp-widget.entity.ts';
import { OTP_WIDGETS_QUOTA, OtpWidgetsStore } from './otp-widgets.store.ts';

type Input = In<typeof otpWidgets.create>['body'];
type Changes = In<typeof otpWidgets.update>['body'];
type Channels = In<typeof otpWidgets.setChannels>['body']['otpWidgetChannelSettings'];

@Injectable()
export class OtpWidgetsService {
  constructor(
    private readonly db: Db,
    private readonly store: OtpWidgetsStore,
    private readonly channels: OtpChannelsStore,
    private readonly quotas: Quotas,
    private readonly captchas: OtpCaptchas,
    private readonly audit: Audit,
  ) {}

  create(actor: Actor, input: Input): Promise<OtpWidget> {
    requireAll(actor, EFFECTS.widget.code);
    const { OwnerId, tokenId: TokenId } = actor;
    const values = this.checked(input);
    return this.db.transaction(async () => {
      const row = await this.store.create({ ...input, ...values, OwnerId, TokenId });
      await this.quotas.check(OTP_WIDGETS_QUOTA, OwnerId);
      await this.audit.record({ OwnerId, target: ['widgets', row.id], after: facts(row) });
      return row;
    });
  }

  update(actor: Actor, id: string, changes: Changes): Promise<OtpWidget> {
    requireAll(actor, EFFECTS.widget.code);
    const { isBlocked } = changes;
    return this.db.transaction(async () => {
      const locked = await this.store.lock(actor.scope, id);
      const values = this.checked(changesOf(locked, changes));
      const before = facts(locked);
      if (actor.level === 'me' && isBlocked !== undefined && isBlocked !== before.isBlocked)
        throw new AppError(
          'forbidden',
          'Only the manager of the account blocks and unblocks widgets.',
        );
      const row = await this.store.update(actor.scope, id, {
        ...changes,
        ...values,
        TokenId: actor.tokenId,
      });
      const { OwnerId } = row;
      await this.audit.record({ OwnerId, target: ['widgets', id], before, after: facts(row) });
      return row;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      const { OwnerId } = row;
      await this.audit.record({ OwnerId, target: ['widgets', id], before: facts(row) });
      return { id };
    });
  }

  setChannels(actor: Actor, id: string, channels: Channels): Promise<WidgetChannel[]> {
    requireAll(actor, EFFECTS.widget.code);
    const ids = channels
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ otpChannelSettingsId }) => otpChannelSettingsId.toLowerCase());
    return this.db.transaction(async () => {
      const { OwnerId, name: title } = await this.store.lock(actor.scope, id);
      assertFound('Channel', ids, await this.channels.byIds(ownScope(OwnerId), ids));
      await this.store.setChannels(id, ids);
      await this.store.update(actor.scope, id, { TokenId: actor.tokenId });
      const after = { channels: ids };
      await this.audit.record({ OwnerId, target: ['widgets', id], after, title });
      return (await this.store.channelsOf([id])).get(id)!;
    });
  }

  /** Fields in their stored form. */
  private checked({ ipWhitelist, captchaProvider }: Changes): Partial<OtpWidget> {
    if (captchaProvider && !this.captchas.isAvailable(captchaProvider))
      throw invalid(
        'captchaProvider',
        'otp_captcha_off',
        'This captcha is not configured on this installation.',
      );
    return ipWhitelist ? { ipWhitelist: ipWhitelist.map(rangeOf) } : {};
  }
}

function rangeOf(text: string, i: number): string {
  if (text === ANY_ADDRESS) return text;
  // `1.2.3` and numbers are addresses to some libraries, and of others than the person means.
  if (!AddressRange.safeParse(text).success || isAmbiguousRange(text))
    throw invalid(`ipWhitelist.${i}`, 'ip_range', 'An address or a network in CIDR notation.');
  return normalizeRange(text);
}

/** For the audit log. */
const facts = ({
  name,
  isActive,
  isBlocked,
  captchaIsRequired,
  ipWhitelist,
  countries,
}: OtpWidget) => ({
  name,
  isActive,
  isBlocked,
  captchaIsRequired,
  ipWhitelist,
  countries,
});
