import type { Report } from '@heliograph/contract';
import { readPersonal, setPersonal } from '../../core/personal/mirror.ts';

export type ReportChoices = Pick<Report, 'format' | 'encoding' | 'delimiter'>;

/** Source: the specification of the account area, section 9. */
const DEFAULTS: ReportChoices = { format: 'csv', encoding: 'win1251', delimiter: ';' };

/** Windows-1251 is what Excel in Russian expects, and has not the letters of the other languages. */
const defaultsFor = (language: string): ReportChoices =>
  language === 'ru' ? DEFAULTS : { ...DEFAULTS, encoding: 'utf8' };

/** The last format, encoding and delimiter, kept with the settings of the person. */
export const reportChoices = {
  get: (language: string): ReportChoices => ({
    ...defaultsFor(language),
    ...readPersonal('reports'),
  }),
  set(language: string, { format, encoding, delimiter }: ReportChoices): void {
    const before = reportChoices.get(language);
    const isSame =
      before.format === format && before.encoding === encoding && before.delimiter === delimiter;
    if (!isSame) setPersonal('reports', { format, encoding, delimiter });
  },
};
