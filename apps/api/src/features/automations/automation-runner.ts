import { Injectable } from '@nestjs/common';
import {
  automationNeeds,
  ERRORS,
  type AutomationReason,
  type AutomationStep,
  type AutomationStepInput,
  type EachInput,
} from '@heliograph/contract';
import {
  isSuppressible,
  NO_COUNTRIES,
  quietUntil,
  shownValues,
  stepAfter,
  waitEnd,
  type Locale,
  type SendingType,
} from '@heliograph/domain';
import { ActingUsers } from '../../core/auth/acting-users.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { DueRows } from '../../core/jobs/due-rows.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { ContactsService } from '../contacts/contacts.service.ts';
import { QuietHoursService } from '../quiet-hours/quiet-hours.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { TemplatesService } from '../templates/templates.service.ts';
import type { Automation, Counts } from './automation.entity.ts';
import {
  AutomationRunsStore,
  type DueRun,
  type RunChange,
  type RunContact,
} from './automation-runs.store.ts';
import { AutomationsService } from './automations.service.ts';
import { AutomationsStore } from './automations.store.ts';

const AUTOMATIONS_AT_ONCE = 100;
/** People of one automation whose steps are one transaction: their texts are a part of what one call may send. */
const BATCH_SIZE = 100;
/** A step that fails for a reason of the installation is tried every minute; after so many times it is given up. */
const MAX_TRIES = 60;

type Step<Kind extends AutomationStepInput['do']> = Extract<AutomationStepInput, { do: Kind }>;

/** What a step does with a person. */
interface Result {
  /** Why it had no effect. */
  code?: string;
  SendingId?: string;
  /** It is not taken yet. */
  until?: Date;
  /** The next step is taken then; at once, if absent. */
  dueAt?: Date;
  isStopped?: true;
  /** Nobody takes a step any more, until the account has done something about it. */
  pause?: AutomationReason;
}

interface Turn {
  automation: Automation;
  actor: Actor;
  contacts: Map<string, RunContact>;
  now: Date;
}

/** Takes the steps of people in automations, in workers. */
@Injectable()
export class AutomationRunner {
  constructor(
    private readonly db: Db,
    private readonly service: AutomationsService,
    private readonly store: AutomationsStore,
    private readonly runs: AutomationRunsStore,
    private readonly users: ActingUsers,
    private readonly contacts: ContactsService,
    private readonly sendings: SendingsService,
    private readonly templates: TemplatesService,
    private readonly quietHours: QuietHoursService,
    private readonly settings: SettingsService,
    private readonly dueRows: DueRows,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {}

  /** One batch of each automation with people who are due. True if there may be more. */
  @Sweeps(1000)
  async run(): Promise<boolean> {
    let isMore = false;
    for (const id of await this.store.due(this.clock.now(), AUTOMATIONS_AT_ONCE)) {
      if (this.shutdown.isStopping) return false;
      const isFull = await this.dueRows.process({
        what: 'Steps of an automation',
        limit: BATCH_SIZE,
        take: (limit) => this.take(id, limit),
        postpone: (ms) => this.postpone(id, ms),
      });
      isMore = isMore || isFull;
    }
    return isMore;
  }

  /** The effects of the steps, and that people have taken them, are one transaction: each is taken at most once, and none is lost. */
  private take(id: string, limit: number): Promise<boolean> {
    return this.db.transaction(async () => {
      const automation = await this.store.lockRunning(id);
      if (!automation) return false;
      const now = this.clock.now();
      const due = await this.runs.takeDue(id, now, limit);
      if (!due.length) return false;
      const actor = await this.users.of(automation, automationNeeds(automation));
      const pause = actor
        ? await this.takeSteps(
            { automation, actor, now, ...(await this.known(automation, due)) },
            due,
          )
        : 'forbidden';
      if (pause) {
        await this.service.pause(automation, pause);
        return false;
      }
      await this.store.replace(automation);
      this.events.changed('automations', 'updated', automation.OwnerId, id);
      return true;
    });
  }

  private async known({ OwnerId }: Automation, due: DueRun[]) {
    const ids = due.flatMap(({ ContactId }) => ContactId ?? []);
    return { contacts: await this.runs.contacts(OwnerId, ids) };
  }

  /** Why it has to be paused; null if it goes on. */
  private async takeSteps(turn: Turn, due: DueRun[]): Promise<AutomationReason | null> {
    const { automation, contacts, now } = turn;
    const { counts } = automation;
    add(counts, 'entered', due.filter(({ isNew }) => isNew).length);
    const here = due.filter(({ ContactId }) => !ContactId || contacts.has(ContactId));
    const changes = due
      .filter((run) => !here.includes(run))
      .map(({ id, taken }): RunChange => ({ id, state: 'left', taken, dueAt: null }));
    let pause: AutomationReason | null = null;
    const byStep = Map.groupBy(here, ({ taken }) => stepAfter(automation.steps, taken));
    for (const [step, runs] of byStep) {
      if (!step) {
        changes.push(
          ...runs.map(({ id, taken }) => ({ id, taken, state: 'done' as const, dueAt: null })),
        );
        continue;
      }
      const results = await this.act(turn, step, runs);
      changes.push(
        ...runs.map((run, i) => changeOf(automation.steps, step, run, results[i]!, now)),
      );
      count(counts, step, results);
      pause ??= results.find((one) => one.pause)?.pause ?? null;
    }
    for (const { state } of changes) if (state !== 'waiting') add(counts, state, 1);
    await this.runs.write(changes, now);
    return pause;
  }

  private async act(turn: Turn, step: AutomationStep, runs: DueRun[]): Promise<Result[]> {
    const { automation, now } = turn;
    switch (step.do) {
      case 'wait': {
        const dueAt = waitEnd(now, step, automation.timeZone);
        return runs.map(() => ({ dueAt }));
      }
      case 'stop': {
        const replied = await this.runs.replied(automation.OwnerId, runs);
        return runs.map(({ id }) => (replied.has(id) ? { isStopped: true } : {}));
      }
      case 'tag':
        return this.tag(turn, step, runs);
      default:
        return this.send(turn, step, runs);
    }
  }

  private async tag(
    { actor }: Turn,
    { add, remove }: Step<'tag'>,
    runs: DueRun[],
  ): Promise<Result[]> {
    const ids = runs.flatMap(({ ContactId }) => ContactId ?? []);
    const { full } = await this.contacts.tagAll(actor, ids, { add, remove });
    const isFull = new Set(full);
    return runs.map(({ ContactId }) => {
      if (!ContactId) return { code: 'no_contact' };
      return isFull.has(ContactId) ? { code: 'tags_full' } : {};
    });
  }

  /** Messages as an account sends them, with the same checks and charges. Who has opted out gets none, and none comes in quiet hours. */
  private async send(
    turn: Turn,
    step: Step<'message' | 'template'>,
    runs: DueRun[],
  ): Promise<Result[]> {
    const { automation, actor, contacts, now } = turn;
    const { OwnerId } = automation;
    const refused = (error: unknown): Result[] => {
      if (error instanceof AppError && ERRORS[error.code] < 500)
        return runs.map(() => held(error.code, now));
      throw error;
    };
    let type: SendingType;
    try {
      type =
        step.do === 'message'
          ? step.type
          : (await this.templates.usable(actor, step.TemplateId)).type;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found')
        return runs.map(() => ({ until: now, pause: 'removed' }));
      return refused(error);
    }
    const { locale } = await this.settings.sendingRules(OwnerId);
    const people = runs.map((run) =>
      personOf(run, contacts.get(run.ContactId ?? ''), type, locale),
    );
    const hours = isSuppressible(type) ? await this.quietHours.activeOf(OwnerId) : null;
    const countries = isSuppressible(type) ? this.quietHours.ofCountries() : NO_COUNTRIES;
    const waitOf =
      (hours !== null || countries.size > 0) &&
      quietUntil(hours, now, this.sendings.operators(), countries);
    const results = people.map((person): Result | null => {
      if (!person) return { code: 'no_address' };
      const until = waitOf ? waitOf(person.to) : null;
      return until ? { until } : null;
    });
    const recipients = people.filter((person, i) => person !== null && results[i] === null) as {
      to: string;
      values: Record<string, string>;
    }[];
    if (!recipients.length) return results as Result[];
    const content: Partial<EachInput> =
      step.do === 'message'
        ? { type, payload: { sender: step.sender, text: step.text } }
        : { templateId: step.TemplateId };
    try {
      const receipts = await this.sendings.each(
        actor,
        { ...content, recipients, OwnerId },
        { respectsOptOut: true },
      );
      let next = 0;
      return results.map((result) => {
        if (result) return result;
        const { id, code } = receipts[next++]!;
        return code ? held(code, now) : { SendingId: id! };
      });
    } catch (error) {
      const codes = refused(error);
      return results.map((result, i) => result ?? codes[i]!);
    }
  }

  private async postpone(id: string, ms: number): Promise<string | undefined> {
    return this.db.transaction(async () => {
      const automation = await this.store.lockRunning(id);
      if (!automation) return undefined;
      const now = this.clock.now();
      const row = await this.runs.postpone(id, now, ms);
      if (row && row.tries >= MAX_TRIES) {
        await this.runs.giveUp(row.id, now);
        if (row.isNew) add(automation.counts, 'entered', 1);
        add(automation.counts, 'failed', 1);
        await this.store.replace(automation);
      }
      return row?.id;
    });
  }
}

/** A message that was refused. Who gets none for lack of money gets it later. */
const held = (code: string, now: Date): Result =>
  code === 'insufficient_funds' || code === 'spend_cap_reached'
    ? { until: now, pause: code }
    : { code };

function changeOf(
  steps: AutomationStep[],
  step: AutomationStep,
  { id, taken: before }: DueRun,
  { until, dueAt, isStopped, code, SendingId }: Result,
  now: Date,
): RunChange {
  if (until) return { id, state: 'waiting', taken: before, dueAt: until };
  const taken = [...before, step.id];
  const isEnd = isStopped === true || !stepAfter(steps, taken);
  return {
    id,
    state: isStopped ? 'stopped' : isEnd ? 'done' : 'waiting',
    taken,
    dueAt: isEnd ? null : (dueAt ?? now),
    ...(code && { code }),
    ...(SendingId && { SendingId }),
  };
}

function add(counts: Counts, name: Exclude<keyof Counts, 'steps'>, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

function count(counts: Counts, { id }: AutomationStep, results: Result[]): void {
  const steps = (counts.steps ??= {});
  const step = (steps[id] ??= { taken: 0, held: {} });
  for (const { until, code } of results) {
    if (until) continue;
    step.taken++;
    if (code) step.held[code] = (step.held[code] ?? 0) + 1;
  }
}

/** The address of a person for messages of a type, with the values of the contact; null without one. */
function personOf(
  { address }: DueRun,
  contact: RunContact | undefined,
  type: SendingType,
  locale: Locale,
): { to: string; values: Record<string, string> } | null {
  const isEmail = type === 'email';
  const own = address.includes('@') === isEmail ? address : null;
  const to = contact ? (isEmail ? contact.email : contact.phone) : own;
  if (!to) return null;
  const known = Object.entries(shownValues(contact?.values ?? {}, locale));
  const values = Object.fromEntries(known.filter((pair): pair is [string, string] => !!pair[1]));
  return { to, values };
}
