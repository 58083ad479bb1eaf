import { Injectable } from '@nestjs/common';
import { SENDING_TYPES, type SendingType } from '@heliograph/domain';
import type { Response } from 'express';
import { SYSTEM_OWNER } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { readBody } from '../../core/http/body.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { acceptedLocale, put, recipientPage } from '../../core/http/recipient-page.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { Log } from '../../core/log.ts';
import { ALL_TYPES } from './suppression.entity.ts';
import { SuppressionsService, type Choice } from './suppressions.service.ts';
import { SuppressionsStore, type Addressed } from './suppressions.store.ts';
import { UnsubscribeLinksService } from './unsubscribe-links.service.ts';
import { typeName, UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts';

type Recipient = Addressed & { sender: string; SendingId: string };
const PATH = /^\/([A-Za-z0-9_-]{34})(\/return)?\/?$/;
/** Of a form of the page, which has a field for each type. */
const BODY_BYTES = 4 * 1024;

type Step = 'ask' | 'saved' | 'stopped' | 'started';
/** What a form of the page asks for: the end of all messages, or a choice of types. */
type Asked = 'all' | Record<'shown' | 'kept', SendingType[]>;

/**
 * `/u/:token`: a recipient unsubscribes, or chooses the types of messages. Not part of the contract, since recipients have no session. A
 * GET only asks, because programs that check links open them; a POST unsubscribes, also the one of RFC 8058 that mail clients send
 * without a page.
 */
@Injectable()
export class UnsubscribePage {
  constructor(
    private readonly db: Db,
    private readonly links: UnsubscribeLinksService,
    private readonly store: SuppressionsStore,
    private readonly service: SuppressionsService,
    private readonly rates: RequestRates,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    const [, token, isReturn] = PATH.exec(request.path) ?? [];
    try {
      const person = await this.rates.countMisses(request, response, () => this.find(token));
      if (!person) return void response.status(404).type('text').send('Unknown link');
      if (!['GET', 'HEAD', 'POST'].includes(request.method))
        return void response.status(405).set('allow', 'GET, HEAD, POST').end();
      let step: Step = 'ask';
      if (request.method === 'POST') {
        this.rates.countInbound(request, response);
        step = isReturn
          ? await this.start(person)
          : await this.stop(person, await askedIn(request));
      }
      const choice = await this.service.choiceOf(person);
      response.type('html').send(pageOf(request, { step, token: token!, person, choice }));
    } catch (error) {
      if (error instanceof AppError)
        return void response
          .status(error.status)
          .set(error.detail.headers)
          .type('text')
          .send('Try again later');
      this.log.error({ err: error }, 'failed to unsubscribe');
      response.status(503).set('retry-after', '5').type('text').send('Try again later');
    } finally {
      request.resume();
    }
  };

  /** Undefined if the link is not genuine, or the person or the message was erased. */
  private async find(token: string | undefined): Promise<Recipient | undefined> {
    const id = token && (await this.links.read(token));
    const found = id ? await this.store.recipientOf(id) : undefined;
    if (!found || found.OwnerId === SYSTEM_OWNER || !/[+@]/.test(found.address)) return undefined;
    return found;
  }

  private async start({ OwnerId, address, type }: Recipient): Promise<Step> {
    await this.db.transaction(() => this.service.optIn({ OwnerId, address, type }));
    return 'started';
  }

  /** Who names nothing opts out of what the settings of the account say; who names everything, of all types. */
  private stop(person: Recipient, asked: Asked | null): Promise<Step> {
    const { OwnerId, address, type, SendingId } = person;
    return this.db.transaction(async () => {
      if (asked !== null && asked !== 'all') {
        await this.service.choose(person, asked);
        return asked.shown.length && !asked.kept.length ? 'stopped' : 'saved';
      }
      const covered = asked ? ALL_TYPES : await this.service.coveredType(OwnerId, type);
      const why = { reason: 'link', note: null, SendingId } as const;
      await this.service.optOut({ OwnerId, address, type: covered }, why);
      return 'stopped';
    });
  }
}

/** Null of any body that no form of the page has sent, such as those of mail clients. */
async function askedIn(request: AppRequest): Promise<Asked | null> {
  const given = await fieldsIn(request);
  if (given.choice === 'all') return 'all';
  if (given.choice !== 'types') return null;
  const named = new Set(typeof given.shown === 'string' ? given.shown.split(' ') : []);
  const shown = SENDING_TYPES.filter((type) => named.has(type));
  return { shown, kept: shown.filter((type) => given[type] === 'yes') };
}

async function fieldsIn(request: AppRequest): Promise<Record<string, unknown>> {
  try {
    const body = await readBody(request, { form: true, bodyLimit: BODY_BYTES });
    return { ...body?.parse() };
  } catch (error) {
    // Of what was cut off nobody knows what it asked for.
    if (!(error instanceof AppError) || error.code === 'bad_request') throw error;
    return {};
  }
}

function pageOf(
  request: AppRequest,
  {
    step: done,
    token,
    person: { sender },
    choice: { types, isStopped },
  }: { step: Step; token: string; person: Recipient; choice: Choice },
): string {
  const locale = acceptedLocale(request);
  const texts = UNSUBSCRIBE_TEXTS[locale];
  const from = { sender };
  const path = `/u/${token}`;
  const hidden = (name: string, value: string) =>
    `<input type="hidden" name="${name}" value="${value}">`;
  const form = (action: string, fields: string, button: string) =>
    `<form method="post" action="${action}">${fields}${button}</form>`;
  const everything = (button: string) => form(path, hidden('choice', 'all'), button);
  const page = (title: string, ...parts: string[]) =>
    recipientPage({ locale, title, body: parts.join('\n') });
  const hasChoice = types.length > 1;
  if (!hasChoice) {
    // Nothing is to choose, and the page does not tell what was chosen before.
    const [title, text, label] = texts[done === 'saved' ? 'ask' : done];
    const button = `<button>${label}</button>`;
    return page(
      done === 'saved' ? texts.saved : title,
      `<p>${put(text, from)}</p>`,
      done === 'stopped' ? form(`${path}/return`, '', button) : everything(button),
    );
  }
  const step = isStopped ? 'stopped' : done === 'stopped' ? 'saved' : done;
  const ticks = types.map(
    ({ type, isStopped: isOff }) =>
      `<label><input type="checkbox" name="${type}" value="yes"${isOff ? '' : ' checked'}> ${typeName(locale, type)}</label>`,
  );
  const shown = types.map(({ type }) => type).join(' ');
  const choice = form(
    path,
    `${hidden('choice', 'types')}${hidden('shown', shown)}
<fieldset><legend>${put(texts.question, from)}</legend>
${ticks.join('\n')}</fieldset>`,
    `<button>${texts.save}</button>`,
  );
  const other = (label: string) => `<button class="other">${label}</button>`;
  const all = everything(other(texts.everything));
  if (step === 'ask') return page(texts.title, choice, all);
  if (step === 'saved') return page(texts.saved, choice, all);
  const [title, text, label] = texts[step];
  return page(
    title,
    `<p>${put(text, from)}</p>`,
    choice,
    step === 'stopped' ? form(`${path}/return`, '', other(label)) : all,
  );
}
