import { Injectable } from '@nestjs/common';
import {
  AccountChange,
  type accountChanges,
  type AccountChangesPreview,
  type AccountFieldValue,
  type AccountInput,
} from '@heliograph/contract';
import type {
  AccountFileError,
  AccountFileField,
  AccountFileReason,
  AccountFileRow,
  AccountFileValues,
} from '@heliograph/domain';
import { may, type Actor } from '../../core/auth/actor.ts';
import { AppError } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { SpendCapsService } from '../billings/spend-caps.service.ts';
import { SheetFilesService } from '../storage/sheet-files.service.ts';
import { CatalogueService } from '../tariffs/catalogue.service.ts';
import { UsersService } from '../users/users.service.ts';
import { readAccountFile } from './account-file.ts';
import { AccountsStore, type AccountState } from './accounts.store.ts';
import { BoundsService } from './bounds.service.ts';

type Previewed = AccountChangesPreview['rows'][number];
type Changes = Previewed['changes'];
interface Named {
  id: string;
  username: string;
}
type Caps = { day: number | null; month: number | null; timeZone: string | null };

/** What the rows of a file are compared with. */
interface Found {
  accounts: Map<string, AccountState[]>;
  tariffs: Awaited<ReturnType<CatalogueService['forFile']>>;
  managers: Map<string, Named[]>;
  caps: Map<string, Caps>;
  /** Throws for settings that are not the actor's to give. */
  bounds: (input: AccountInput) => void;
}

const SETTINGS = ['overdraft', 'types', 'sendernamesCheck', 'lookupDays', 'isTest'] as const;
const CAPS = ['day', 'month', 'timeZone'] as const;
const NO_CAPS: Caps = { day: null, month: null, timeZone: null };

/**
 * What a file would change in accounts. A row becomes the change that `AccountChangesService` applies, with those of its values that
 * differ now. Nothing is stored.
 */
@Injectable()
export class AccountChangeFilesService {
  constructor(
    private readonly files: SheetFilesService,
    private readonly store: AccountsStore,
    private readonly users: UsersService,
    private readonly tariffs: CatalogueService,
    private readonly caps: SpendCapsService,
    private readonly bounds: BoundsService,
  ) {}

  async preview(
    actor: Actor,
    { from, timeZone }: In<typeof accountChanges.preview>['body'],
  ): Promise<AccountChangesPreview> {
    const file = await this.files.withBook(actor, from.key, readAccountFile);
    const found = await this.find(actor, file.rows);
    const named = file.rows.flatMap(({ account }) => idOf(found, account) ?? []);
    const repeated = new Set(named.filter((id, i) => named.indexOf(id) !== i));
    return {
      columns: Object.keys(file.columns) as AccountFileField[],
      unread: file.unread,
      rows: file.rows.map(({ row, ...parsed }) => ({
        row,
        ...this.previewed(actor, parsed, found, repeated, timeZone),
      })),
    };
  }

  private async find(actor: Actor, rows: AccountFileRow[]): Promise<Found> {
    const textsOf = (text: (row: AccountFileRow) => string | null | undefined) => [
      ...new Set(rows.flatMap((row) => text(row) || [])),
    ];
    const accounts = await this.store.named(
      actor.scope,
      textsOf(({ account }) => account),
    );
    const ids = [...accounts.values()].flat().map(({ id }) => id);
    const titles = textsOf(({ values }) => values.tariff);
    const caps = new Map<string, Caps>();
    for (const { OwnerId, period, limit, timeZone } of await this.caps.ofAccounts(ids))
      caps.set(OwnerId, { ...(caps.get(OwnerId) ?? NO_CAPS), [period]: limit, timeZone });
    return {
      accounts,
      tariffs: await this.tariffs.forFile(actor, titles, ids),
      // Only administrators set them; for others, no text is compared with the names of managers.
      managers:
        actor.scope.kind === 'all'
          ? await this.store.managersNamed(textsOf(({ values }) => values.manager))
          : new Map<string, Named[]>(),
      caps,
      bounds: await this.bounds.of(actor),
    };
  }

  private previewed(
    actor: Actor,
    { account: name, values, errors: refused }: AccountFileRow,
    found: Found,
    repeated: Set<string>,
    timeZone: string,
  ): Omit<Previewed, 'row'> {
    const matches = found.accounts.get(name) ?? [];
    const [account] = matches;
    const row = { account: name, Owner: null, change: null, changes: [], errors: refused };
    if (refused.some(({ field }) => field === 'account')) return row;
    const fault = (reason: AccountFileReason) => ({
      ...row,
      errors: [{ field: 'account' as const, reason }, ...refused],
    });
    if (!account) return fault('unknown_account');
    if (matches.length > 1) return fault('ambiguous_account');
    const { id, username } = account;
    const Owner = { id, username };
    if (!this.users.runs(actor, account)) return { ...fault('forbidden'), Owner };
    if (repeated.has(id)) return { ...fault('repeated_account'), Owner };
    const draft = new Draft(actor, account, found, values, timeZone);
    const errors = [...refused, ...draft.errors];
    const change = errors.length || !draft.changes.length ? null : draft.change;
    return { account: name, Owner, change, changes: draft.changes, errors };
  }
}

/** The id of the one account that a text names. */
const idOf = ({ accounts }: Found, name: string): string | null => {
  const matches = accounts.get(name) ?? [];
  return matches.length === 1 ? matches[0]!.id : null;
};

/** What the cells of a row make of an account. */
class Draft {
  readonly errors: AccountFileError[] = [];
  readonly changes: Changes = [];
  private readonly parts: Omit<AccountChange, 'id'> = {};

  constructor(
    private readonly actor: Actor,
    private readonly account: AccountState,
    private readonly found: Found,
    values: AccountFileValues,
    private readonly timeZone: string,
  ) {
    this.tariff(values.tariff);
    for (const field of SETTINGS) this.setting(field, values[field]);
    this.manager(values.manager);
    this.spendCaps(values);
    this.suspension(values.suspension);
    this.check();
  }

  get change(): AccountChange {
    return { id: this.account.id, ...this.parts };
  }

  private refuse(field: AccountFileField, reason: AccountFileReason): void {
    this.errors.push({ field, reason });
  }

  private changed(
    field: AccountFileField,
    before: AccountFieldValue,
    after: AccountFieldValue,
  ): void {
    this.changes.push({ field, before, after });
  }

  private tariff(name: string | null | undefined): void {
    if (name === undefined) return;
    if (!may(this.actor, 'tariffs.update', 'resellerUp')) return this.refuse('tariff', 'forbidden');
    const { named, held } = this.found.tariffs;
    const now = held.get(this.account.id) ?? [];
    const before = now.map(({ title }) => title);
    // Of the tariffs of resellers, those of the account's own.
    const matches = (name === null ? [] : (named.get(name) ?? [])).filter(
      ({ ResellerId }) => ResellerId === null || ResellerId === this.account.ResellerId,
    );
    if (matches.length > 1) return this.refuse('tariff', 'ambiguous_tariff');
    if (name !== null && !matches.length) return this.refuse('tariff', 'unknown_tariff');
    if (now.length === matches.length && now[0]?.id === matches[0]?.id) return;
    this.parts.tariffs = matches.map(({ id }) => ({ id, priority: 0 }));
    this.changed(
      'tariff',
      before.length ? before : null,
      matches.length ? [matches[0]!.title] : null,
    );
  }

  private setting<Field extends (typeof SETTINGS)[number]>(
    field: Field,
    after: AccountFileValues[Field],
  ): void {
    if (after === undefined) return;
    const { settings, isTest, overdraft, balance } = this.account;
    const { types, sendernamesCheck, lookupDays } = settings.sendings ?? {};
    const now = { overdraft, isTest, types, sendernamesCheck, lookupDays };
    const before = (now[field] ?? null) as AccountFieldValue;
    if (isSame(before, after)) return;
    if (!this.isGranted(field, { [field]: after })) return;
    if (field === 'overdraft' && balance + Number(after) < 0)
      return this.refuse(field, 'overdraft_used');
    this.parts.settings = { ...this.parts.settings, [field]: after };
    this.changed(field, before, after);
  }

  private manager(name: string | null | undefined): void {
    if (name === undefined || !this.isGranted('manager', { ManagerId: null })) return;
    const matches = name === null ? [] : (this.found.managers.get(name) ?? []);
    if (matches.length > 1) return this.refuse('manager', 'ambiguous_manager');
    if (name !== null && !matches.length) return this.refuse('manager', 'unknown_manager');
    const ManagerId = matches[0]?.id ?? null;
    if (ManagerId === this.account.ManagerId) return;
    this.parts.settings = { ...this.parts.settings, ManagerId };
    this.changed('manager', this.account.manager, matches[0]?.username ?? null);
  }

  private spendCaps(values: AccountFileValues): void {
    const given = CAPS.filter((field) => values[field] !== undefined);
    if (!given.length) return;
    if (!may(this.actor, 'spendCaps.update'))
      return given.forEach((field) => this.refuse(field, 'forbidden'));
    const before = this.found.caps.get(this.account.id) ?? NO_CAPS;
    const { day = before.day, month = before.month, timeZone } = values;
    // A time zone without caps says nothing.
    const zone = timeZone ?? before.timeZone ?? this.timeZone;
    const after = { day, month, timeZone: day === null && month === null ? null : zone };
    const fields = CAPS.filter((field) => before[field] !== after[field]);
    if (!fields.length) return;
    this.parts.caps = { day, month, timeZone: zone };
    for (const field of fields) this.changed(field, before[field], after[field]);
  }

  private suspension(reason: string | null | undefined): void {
    if (reason === undefined) return;
    if (!may(this.actor, 'users.suspend', 'resellerUp'))
      return this.refuse('suspension', 'forbidden');
    const { isActive, suspensionReason } = this.account;
    // The state that an account has is no change.
    if (isActive === (reason === null)) return;
    if (reason === null) this.parts.resume = true;
    else this.parts.suspend = { reason };
    this.changed('suspension', isActive ? null : (suspensionReason ?? ''), reason);
  }

  /** Whether the actor may give the account a setting. */
  private isGranted(field: AccountFileField, input: AccountInput): boolean {
    try {
      this.found.bounds(input);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const rule = error.detail.issues?.[0]?.rule;
      this.refuse(field, rule === 'too_big' ? rule : rule ? 'not_granted' : 'forbidden');
      return false;
    }
  }

  /** What the contract does not take, such as a text of invisible characters, is found before it is sent. */
  private check(): void {
    if (!this.changes.length || AccountChange.safeParse(this.change).success) return;
    const field = this.parts.suspend ? 'suspension' : this.changes[0]!.field;
    this.refuse(field, 'text');
  }
}

/** Types are compared in any order. */
function isSame(a: AccountFieldValue, b: AccountFieldValue): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((one) => b.includes(one));
}
