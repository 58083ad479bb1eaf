import { Injectable } from '@nestjs/common';
import {
  CONTACT_CUSTOM_LENGTH,
  CONTACT_NAME_LENGTH,
  contacts,
  type NamedField,
  type SignupField,
} from '@heliograph/contract';
import {
  isBlank,
  LOCALES,
  MAX_EMAIL_LENGTH,
  normalizeEmail,
  normalizePhone,
  phoneCountry,
  type Locale,
} from '@heliograph/domain';
import escapeHtml from 'escape-html';
import type { Response } from 'express';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { readBody } from '../../core/http/body.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { acceptedLocale, put, recipientPage } from '../../core/http/recipient-page.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { networkOf } from '../../core/http/visitor.ts';
import { Log } from '../../core/log.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { ContactFieldsService } from '../contacts/contact-fields.service.ts';
import { ContactsService } from '../contacts/contacts.service.ts';
import { OtpCaptchas } from '../otp/handler/otp-captchas.service.ts';
import { OtpLimits } from '../otp/handler/otp-limits.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { SignupForm } from './signup-form.entity.ts';
import { SignupFormsStore } from './signup-forms.store.ts';
import { SIGNUP_TEXTS, type SignupTexts } from './signup-texts.ts';
import { SignupsService } from './signups.service.ts';

const FORM_PATH = /^\/([0-9a-fA-F-]{36})\/?$/;
const LINK_PATH = /^\/c\/([A-Za-z0-9_-]{22})\/?$/;
const BODY_BYTES = 64 * 1024;
/** Fields of one body: those of contacts, and some more that a form of another site may have. */
const MAX_FIELDS = 100;
const CHALLENGE_PATH = '/api/captcha';
const SOLVER = '/otp/signup.js';

/** What a person has typed, by the names of the inputs. */
type Typed = Record<string, string>;
/** Errors by the names of the inputs. */
type Faults = Record<string, string>;
/** A field as it is asked for. */
type Asked = { name: SignupField; isRequired: boolean; title: string } & Pick<
  NamedField,
  'type' | 'values'
>;

interface Shown {
  request: AppRequest;
  response: Response;
  locale: Locale;
  texts: SignupTexts;
  form: SignupForm;
}

/**
 * `/f/:id`: a form by which a person signs up, and `/f/c/:token`, its confirmation. Not part of the contract, since people have no
 * session, and both work without scripts. A GET only asks, because programs that check links open them.
 */
@Injectable()
export class SignupPage {
  constructor(
    private readonly config: Config,
    private readonly forms: SignupFormsStore,
    private readonly signups: SignupsService,
    private readonly fields: ContactFieldsService,
    private readonly contacts: ContactsService,
    private readonly settings: SettingsService,
    private readonly captchas: OtpCaptchas,
    private readonly limits: OtpLimits,
    private readonly brands: BrandsService,
    private readonly rates: RequestRates,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const [, id] = FORM_PATH.exec(request.path) ?? [];
    const [, token] = LINK_PATH.exec(request.path) ?? [];
    try {
      if (!['GET', 'HEAD', 'POST'].includes(request.method))
        return void response.status(405).set('allow', 'GET, HEAD, POST').end();
      await (token
        ? this.confirmation(request, response, token)
        : this.form(request, response, id));
    } catch (error) {
      request.resume();
      const isExpected = error instanceof AppError;
      const isWrong = isExpected && ![429, 503].includes(error.status);
      if (!isExpected) this.log.error({ err: error }, 'failed to sign up');
      response
        .status(isExpected ? error.status : 503)
        .set(isExpected ? (error.detail.headers ?? {}) : { 'retry-after': '5' })
        .type('text')
        .send(isWrong ? error.message : 'Try again later');
    }
  };

  private async form(
    request: AppRequest,
    response: Response,
    id: string | undefined,
  ): Promise<void> {
    const found = await this.rates.countMisses(request, response, async () => {
      const form = id && (await this.forms.open(id));
      return form && form.isActive ? form : undefined;
    });
    if (!found) {
      request.resume();
      return void response.status(404).type('text').send('Unknown form');
    }
    // The own page sends its origin, and frames of other sites are those that the account has named.
    response.set({
      'referrer-policy': 'same-origin',
      'content-security-policy': policyOf(found.origins.join(' ') || "'none'"),
    });
    response.removeHeader('x-frame-options');
    if (!found.origins.length) response.set('x-frame-options', 'DENY');
    const locale = localeOf(request);
    const shown = { request, response, locale, texts: SIGNUP_TEXTS[locale], form: found };
    if (request.method !== 'POST') {
      this.rates.countDocument(request, response);
      request.resume();
      return this.show(shown, 200, await this.asked(shown), {});
    }
    this.rates.countInbound(request, response);
    if (!isOfOwnSite(request, found.origins)) {
      request.resume();
      return void response.status(403).type('text').send('The form is not open to this site');
    }
    await this.signUp(shown, await typedIn(request));
  }

  private async signUp(shown: Shown, typed: Typed): Promise<void> {
    const { request, response, texts, form } = shown;
    const asked = await this.asked(shown);
    const faults: Faults = {};
    const address = await this.addressOf(form, typed, texts, faults);
    const values = await this.valuesOf(form, asked, typed, texts, faults);
    if (!typed.consent) faults.consent = texts.consentMissing;
    if (Object.keys(faults).length) return this.show(shown, 422, asked, { typed, faults });
    const ip = request.ip ?? '';
    const network = networkOf(ip);
    try {
      if (!(await this.isHuman(form.id, network, typed.captcha, ip)))
        return this.show(shown, 403, asked, { typed, isChallenged: true });
      const outcome = await this.signups.ask(form, { address: address!, values, network });
      if (outcome === 'stopped') return void response.status(404).type('text').send('Unknown form');
      if (outcome === 'unavailable')
        return this.show(shown, 503, asked, { typed, notice: texts.unavailable });
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 429) throw error;
      response.set(error.detail.headers ?? {});
      return this.show(shown, 429, asked, { typed, notice: texts.tooMany });
    }
    await this.send(
      shown,
      200,
      texts.sentTitle,
      `<p>${put(texts.sentText, { address: address! })}</p>`,
    );
  }

  /** The captcha of widgets of one-time codes, by the rule of the registration: a network has some attempts without one. */
  private async isHuman(
    id: string,
    network: string,
    answer: string | undefined,
    ip: string,
  ): Promise<boolean> {
    const free = this.config.CAPTCHA_AFTER;
    if (!answer && free > 0 && (await this.limits.isFree(id, network, free))) return true;
    if (!answer) return false;
    return this.captchas.require('altcha', answer, ip).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.detail.type === 'CaptchaNotConfirmed') return false;
        throw error;
      },
    );
  }

  private async confirmation(
    request: AppRequest,
    response: Response,
    token: string,
  ): Promise<void> {
    request.resume();
    const locale = localeOf(request);
    const texts = SIGNUP_TEXTS[locale];
    response.set('content-security-policy', policyOf("'none'"));
    const found = await this.rates.countMisses(request, response, () => this.signups.find(token));
    const gone = () =>
      void response
        .status(404)
        .type('html')
        .send(recipientPage({ locale, title: texts.goneTitle, body: `<p>${texts.goneText}</p>` }));
    if (!found) return gone();
    const { form, signup } = found;
    const shown = { request, response, locale, texts, form };
    if (request.method !== 'POST') {
      this.rates.countDocument(request, response);
      const body = `<p>${put(texts.confirmText, { title: form.title })}</p>
<p class="consent">${linked(signup.consent)}</p>
<form method="post"><button>${texts.confirmButton}</button></form>`;
      return this.send(shown, 200, texts.confirmTitle, body);
    }
    this.rates.countInbound(request, response);
    if (!(await this.signups.confirm(token, request.ip ?? ''))) return gone();
    const onward = form.returnUrl
      ? `<p><a href="${escapeHtml(form.returnUrl)}" rel="noreferrer">${texts.onward}</a></p>`
      : '';
    const text = put(texts.doneText, { title: form.title });
    await this.send(shown, 200, texts.doneTitle, `<p>${text}</p>${onward}`);
  }

  /** The fields of a form that the account has still named. */
  private async asked({ form, texts }: Shown): Promise<Asked[]> {
    const named = new Map(
      (await this.fields.named(form.OwnerId)).map((one) => [one.field as string, one]),
    );
    return form.fields.flatMap(({ field: name, isRequired }) => {
      const own = named.get(name);
      const plain = name === 'firstName' || name === 'middleName' || name === 'lastName';
      if (plain) return { name, isRequired, title: texts[name], type: 'text', values: [] };
      return own ? { name, isRequired, title: own.title, type: own.type, values: own.values } : [];
    });
  }

  private async addressOf(
    { OwnerId, type, countries }: SignupForm,
    typed: Typed,
    texts: SignupTexts,
    faults: Faults,
  ): Promise<string | null> {
    const text = (typed.address ?? '').slice(0, MAX_EMAIL_LENGTH + 1);
    if (type === 'email') {
      const email = normalizeEmail(text);
      if (!email) faults.address = texts.wrongEmail;
      return email;
    }
    const country = await this.settings.countryOf(OwnerId);
    const phone = normalizePhone(text, country);
    if (!phone) faults.address = texts.wrongPhone;
    else if (!(countries ?? [country]).includes(phoneCountry(phone) ?? ''))
      faults.address = texts.wrongCountry;
    return phone;
  }

  /** What is stored of the fields. */
  private async valuesOf(
    { OwnerId }: SignupForm,
    asked: Asked[],
    typed: Typed,
    texts: SignupTexts,
    faults: Faults,
  ): Promise<Typed> {
    const given: Typed = {};
    for (const { name, isRequired } of asked) {
      const text = typed[name] ?? '';
      if (!isBlank(text)) given[name] = text;
      else if (isRequired) faults[name] = texts.required;
    }
    const parsed = contacts.update.body!.safeParse(given);
    if (!parsed.success) {
      for (const { path } of parsed.error.issues) faults[String(path[0])] = texts.wrongValue;
      return {};
    }
    try {
      const { custom = {}, ...names } = await this.contacts.valuesOf(OwnerId, parsed.data);
      const values = Object.entries({ ...names, ...custom });
      return Object.fromEntries(
        values.filter((one): one is [string, string] => typeof one[1] === 'string'),
      );
    } catch (error) {
      if (!(error instanceof AppError) || !error.detail.issues) throw error;
      for (const { field } of error.detail.issues) faults[field] = texts.wrongValue;
      return {};
    }
  }

  private show(
    shown: Shown,
    status: number,
    asked: Asked[],
    state: { typed?: Typed; faults?: Faults; notice?: string; isChallenged?: boolean },
  ): Promise<void> {
    const { request, form, texts, locale } = shown;
    const { typed = {}, faults = {}, notice, isChallenged } = state;
    const isOwnLanguage = request.query.lang !== undefined;
    const action = `/f/${form.id}${isOwnLanguage ? `?lang=${locale}` : ''}`;
    const input = (name: string, title: string, control: (attributes: string) => string) => {
      const fault = faults[name];
      const about = fault ? ` aria-invalid="true" aria-describedby="${name}-fault"` : '';
      const told = fault ? `<span class="fault" id="${name}-fault">${fault}</span>` : '';
      return `<p><label for="${name}">${title}</label>${control(`id="${name}" name="${name}"${about}`)}${told}</p>`;
    };
    const value = (name: string) => escapeHtml(typed[name] ?? '');
    const [kind, label] =
      form.type === 'email'
        ? ['type="email" autocomplete="email"', texts.email]
        : ['type="tel" autocomplete="tel"', texts.phone];
    const fields = [
      input(
        'address',
        label!,
        (own) => `<input ${own} ${kind} maxlength="320" required value="${value('address')}">`,
      ),
      ...asked.map((one) =>
        input(one.name, escapeHtml(one.title), (own) =>
          controlOf(one, own, typed[one.name] ?? '', texts),
        ),
      ),
    ];
    const consentFault = faults.consent
      ? `<span class="fault" id="consent-fault">${faults.consent}</span>`
      : '';
    const about = faults.consent ? ' aria-invalid="true" aria-describedby="consent-fault"' : '';
    const consent = `<p class="consent"><input type="checkbox" id="consent" name="consent" value="yes" required${about}${typed.consent ? ' checked' : ''}> <label for="consent">${linked(form.consent)}</label>${consentFault}</p>`;
    const challenge = isChallenged
      ? `<input type="hidden" name="captcha"><p role="status">${texts.checking}</p><noscript><p>${texts.noScript}</p></noscript><script src="${SOLVER}" data-challenge="${CHALLENGE_PATH}" defer></script>`
      : '';
    const alert = notice ? `<p role="alert" class="fault">${notice}</p>` : '';
    const body = `${alert}<form method="post" action="${action}">
${fields.join('\n')}
${consent}
${challenge}<button>${texts.button}</button></form>`;
    return this.send(shown, status, escapeHtml(form.title), body);
  }

  /** `title` and `body` are HTML. */
  private async send(
    { response, locale, form }: Shown,
    status: number,
    title: string,
    body: string,
  ): Promise<void> {
    const { colors } = await this.brands.ofUser(form.OwnerId);
    response
      .status(status)
      .type('html')
      .send(recipientPage({ locale, title, body, color: colors.primary }));
  }
}

/** The page has styles of its own, and the script of the captcha; frames are open to the sites of the account. */
const policyOf = (ancestors: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

/** Programs outside of a browser name no origin; a browser names that of the page whose form is sent. */
function isOfOwnSite({ headers }: AppRequest, origins: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined || origins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The fields of a sent form; those that are there several times are ignored. */
async function typedIn(request: AppRequest): Promise<Typed> {
  const body = await readBody(request, {
    form: true,
    bodyLimit: BODY_BYTES,
    maxFields: MAX_FIELDS,
  });
  const given = Object.entries(body?.parse() ?? {});
  return Object.fromEntries(
    given.filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

function localeOf(request: AppRequest): Locale {
  const { lang } = request.query;
  const named = LOCALES.find((one) => one === lang);
  return named ?? acceptedLocale(request);
}

function controlOf(
  { name, type, values, isRequired }: Asked,
  own: string,
  typed: string,
  texts: SignupTexts,
): string {
  const required = isRequired ? ' required' : '';
  const value = `value="${escapeHtml(typed)}"`;
  const option = (given: string, shown: string) =>
    `<option value="${escapeHtml(given)}"${given === typed ? ' selected' : ''}>${escapeHtml(shown)}</option>`;
  const choice = (options: string) =>
    `<select ${own}${required}><option value="">${texts.choose}</option>${options}</select>`;
  if (type === 'choice') return choice(values.map((one) => option(one, one)).join(''));
  if (type === 'boolean') return choice(option('true', texts.yes) + option('false', texts.no));
  if (type === 'date') return `<input ${own} type="date"${required} ${value}>`;
  if (type === 'number')
    return `<input ${own} inputmode="decimal" maxlength="40"${required} ${value}>`;
  const isName = !name.startsWith('custom');
  const autocomplete = { firstName: 'given-name', middleName: 'additional-name' } as Typed;
  const filled = isName ? ` autocomplete="${autocomplete[name] ?? 'family-name'}"` : '';
  const length = isName ? CONTACT_NAME_LENGTH : CONTACT_CUSTOM_LENGTH;
  return `<input ${own} maxlength="${length}"${filled}${required} ${value}>`;
}

/** A text of the account, in which addresses of pages are links. */
const linked = (text: string): string =>
  text
    .split(/(https:\/\/[^\s<>"]+)/)
    .map((part, i) =>
      i % 2
        ? `<a href="${escapeHtml(part)}" target="_blank" rel="noopener noreferrer">${escapeHtml(part)}</a>`
        : escapeHtml(part),
    )
    .join('');
