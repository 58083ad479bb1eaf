import type { Report } from '@heliograph/contract';
import { readPersonal, setPersonal } from '../../core/personal/mirror.ts';

export type ReportChoices = Pick<Report, 'format' | 'encoding' | 'delimiter'>;

/** Source: the specification of the account area, section 9. */
const DEFAULTS: ReportChoices = { format: 'csv', encoding: 'win1251', delimiter: ';' };

/** The last format, encoding and delimiter, kept with the settings of the person. */
export const reportChoices = {
  get: (): ReportChoices => ({ ...DEFAULTS, ...readPersonal('reports') }),
  set({ format, encoding, delimiter }: ReportChoices): void {
    const before = reportChoices.get();
    const isSame =
      before.format === format && before.encoding === encoding && before.delimiter === delimiter;
    if (!isSame) setPersonal('reports', { format, encoding, delimiter });
  },
};
