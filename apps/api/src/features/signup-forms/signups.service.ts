import { Injectable } from '@nestjs/common';
import { EFFECTS, SIGNUP_LINK } from '@heliograph/contract';
import { literalText, typeCode } from '@heliograph/domain';
import { createHash, randomBytes } from 'node:crypto';
import { ActingTokens } from '../../core/auth/acting-tokens.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { ContactsService } from '../contacts/contacts.service.ts';
import { OtpLimits } from '../otp/handler/otp-limits.service.ts';
import { SealedSendings } from '../sendings/sealed-sendings.service.ts';
import { SuppressionsService } from '../suppressions/suppressions.service.ts';
import type { SignupForm } from './signup-form.entity.ts';
import { SignupFormsStore } from './signup-forms.store.ts';
import { SignupsStore, type Signup, type SignupValues } from './signups.store.ts';

/** A person who fills in a form. */
export interface Asking {
  address: string;
  values: SignupValues;
  network: string;
}

/** What becomes of it: `sent` is also the answer where nothing was sent, if the reason says something about the person. */
export type Asked = 'sent' | 'unavailable' | 'stopped';

/** Of a link, and of what the person has entered. */
const LIFETIME_SECONDS = 48 * 3600;
/** Who asks again within this time in the same form has the message already. */
const REPEAT_SECONDS = 300;
const DAY_SECONDS = 86_400;
/** Messages to one person within a day, from all forms of an account. */
const MAX_PER_DAY = 5;
const TOKEN_BYTES = 16;

/** People who enter themselves into lists, from the form to the confirmation. */
@Injectable()
export class SignupsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: SignupsStore,
    private readonly forms: SignupFormsStore,
    private readonly limits: OtpLimits,
    private readonly sealed: SealedSendings,
    private readonly contacts: ContactsService,
    private readonly suppressions: SuppressionsService,
    private readonly tokens: ActingTokens,
    private readonly notifications: Notifications,
    private readonly brands: BrandsService,
  ) {}

  /** Sends the message by which the person confirms. Throws `RateLimit` for what says nothing about the person. */
  async ask(form: SignupForm, asking: Asking): Promise<Asked> {
    if (!(await this.tokens.mayAct(form, EFFECTS.signupForm.message))) {
      await this.stop(form);
      return 'stopped';
    }
    const { OwnerId, id: widgetId, type } = form;
    const { address: phone, network } = asking;
    const request = { OwnerId, widgetId, phone, network, isTest: false };
    await (type === 'sms'
      ? this.limits.takeRequest(request)
      : this.limits.takeEmailRequest(request));
    const outcome = await this.db.transaction(() => this.send(form, asking));
    // A message that was not sent counts for no range of numbers.
    if (outcome !== 'sent' && type === 'sms') await this.limits.giveBackCode(request);
    return outcome === 'withheld' ? 'sent' : outcome;
  }

  private async send(
    form: SignupForm,
    { address, values, network }: Asking,
  ): Promise<Asked | 'withheld'> {
    const { OwnerId, TokenId, id: FormId, type, sender, consent } = form;
    const now = this.clock.now();
    // It locks the address, so that of requests at the same time one passes.
    const counted = { OwnerId, phone: address, network, isTest: false };
    const [refusal] = await this.limits.takeSessions([counted], now);
    if (refusal) return 'withheld';
    const { count, lastAt } = await this.store.recent(
      { OwnerId, address },
      FormId,
      secondsAfter(now, -DAY_SECONDS),
    );
    if (count >= MAX_PER_DAY || (lastAt && lastAt > secondsAfter(now, -REPEAT_SECONDS)))
      return 'withheld';
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const { url } = await this.brands.ofUser(OwnerId);
    const attempt = {
      type,
      sender,
      ...(type === 'email' && { subject: literalText(form.title) }),
      ...messageOf(form.text, `${url}/f/c/`, token),
      lifetime: LIFETIME_SECONDS,
    };
    const expiresAt = secondsAfter(now, LIFETIME_SECONDS);
    const sending = {
      OwnerId,
      phone: address,
      attempts: [attempt],
      expiresAt,
      tokenId: TokenId,
      isTest: false,
    };
    const [lack] = await this.sealed.refusalsOf(sending);
    if (lack) return 'unavailable';
    const [receipt] = await this.sealed.send([sending]);
    if (receipt!.refusal) return receipt!.refusal === 'blacklisted' ? 'withheld' : 'unavailable';
    const id = uuidv7(now);
    const signup = { id, OwnerId, FormId, address, values, consent, expiresAt };
    await this.store.add({ ...signup, hash: sha256(consent) }, sha256(token), now);
    await this.forms.count(FormId, 'asked');
    return 'sent';
  }

  /** Of a link that is valid, with its form. */
  async find(token: string): Promise<{ signup: Signup; form: SignupForm } | undefined> {
    const signup = await this.store.ofToken(sha256(token), this.clock.now());
    const form = signup && (await this.forms.open(signup.FormId));
    return form && { signup, form };
  }

  /** Enters the person into the list. A repeat changes nothing. False if the link is valid no more. */
  async confirm(token: string, ip: string): Promise<boolean> {
    const confirmed = await this.db.transaction(async () => {
      const now = this.clock.now();
      const signup = await this.store.ofToken(sha256(token), now, true);
      const form = signup && (await this.forms.open(signup.FormId));
      if (!form) return undefined;
      if (signup.confirmedAt) return { ...signup, isNew: false, type: form.type };
      if (!(await this.tokens.mayAct(form, EFFECTS.signupForm.contact))) return undefined;
      const { OwnerId, address, values } = signup;
      const { type, title, ListId, tags } = form;
      const contact = { [type === 'email' ? 'email' : 'phone']: address, ...values };
      if (!(await this.contacts.put(OwnerId, ListId!, contact, tags))) return undefined;
      // The person has asked for messages again.
      await this.suppressions.optIn({ OwnerId, address, type: typeCode(type) });
      await this.store.confirm(signup, { title, ip, now });
      await this.forms.count(form.id, 'confirmed');
      return { ...signup, isNew: true, type };
    });
    if (!confirmed) return false;
    const { isNew, type, OwnerId, address: phone } = confirmed;
    if (isNew && type === 'sms')
      await this.limits.countConfirmed([{ OwnerId, phone, isTest: false }]);
    return true;
  }

  @Sweeps(60_000)
  deleteEnded(): Promise<boolean> {
    return this.store.deleteEnded(this.clock.now());
  }

  /** The token that configured the form may send no messages any more. */
  private stop(form: SignupForm): Promise<void> {
    return this.db.transaction(async () => {
      if (!(await this.forms.stop(form))) return;
      const { id, OwnerId, title } = form;
      await this.notifications.notify(OwnerId, 'TokenEffectEnded', { id, title });
    });
  }
}

/** The text with the link, and as it is stored and shown: with asterisks for what is secret. */
function messageOf(template: string, base: string, token: string) {
  const [before, after] = template.split(SIGNUP_LINK);
  return {
    text: `${before}${base}${token}${after}`,
    masked: literalText(`${before}${base}${'*'.repeat(token.length)}${after}`),
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
