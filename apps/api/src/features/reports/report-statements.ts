import { Injectable } from '@nestjs/common';
import {
  REPORT_PRESETS,
  type Range,
  type ReportPreset,
  type ReportWhere,
  type SendingsWhere,
} from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { BillingsService, type BillingsReport } from '../billings/billings.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { CellSql } from './cell-sql.ts';
import { literal } from './literals.ts';
import { presetSql, usesOperators } from './preset-sql.ts';
import type { OperatorRange } from './report-rows.store.ts';

/** What is read, and within which access scope. */
export interface Reading {
  preset: ReportPreset;
  where: ReportWhere;
  scope: AccessScope;
  /** Whose numbering plan completes phone numbers in filters. */
  OwnerId: string;
  locale: Locale;
}

/** Composes the statements of reports. */
@Injectable()
export class ReportStatements {
  constructor(
    private readonly sendings: SendingsService,
    private readonly billings: BillingsService,
    private readonly settings: SettingsService,
  ) {}

  /** Columns are named as those of the preset. */
  async select(
    { preset, where, scope, OwnerId, locale }: Reading,
    cells: CellSql,
    limit?: number,
  ): Promise<string> {
    const { source } = REPORT_PRESETS[preset];
    const filter = { ...where, createdAt: where.createdAt as Range };
    const conditions =
      source === 'sendings'
        ? this.sendings.reportConditions(
            filter as SendingsWhere & { createdAt: Range },
            literal,
            await this.settings.countryOf(where.OwnerId ?? OwnerId),
          )
        : this.billings.reportConditions(scope, filter as BillingsReport, literal);
    const owner = source === 'sendings' ? 's.owner_id' : 'b.owner_id';
    const all = [scopeSql(scope, owner, literal), ...conditions];
    const { columns, from, order } = presetSql(preset, all, locale, limit);
    const list = columns.map(({ name, sql }) => `${cells(name, sql)} as "${name}"`).join(', ');
    return `select ${list} from ${from} order by ${order}`;
  }

  /** The table of operators with the names of countries in a language; undefined if the preset has none. */
  operators(preset: ReportPreset, locale: Locale): OperatorRange[] | undefined {
    if (!usesOperators(preset)) return undefined;
    const { starts, operators } = this.sendings.operators();
    const countries = new Intl.DisplayNames([locale], { type: 'region' });
    return operators.map((operator, i) => ({
      start: String(starts[i]).padStart(15, '0'),
      name: operator?.name ?? null,
      country: operator ? (countries.of(operator.country) ?? operator.country) : null,
      mccmnc: operator?.mccmnc ?? null,
    }));
  }
}
