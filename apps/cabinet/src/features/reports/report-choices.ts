import {
  REPORT_DELIMITERS,
  REPORT_ENCODINGS,
  REPORT_FORMATS,
  type Report,
} from '@heliograph/contract';
import { stored } from '../../core/stored.ts';

export type ReportChoices = Pick<Report, 'format' | 'encoding' | 'delimiter'>;

const KEY = 'heliograph.report';
/** Source: the specification of the account area, section 9. */
const DEFAULTS: ReportChoices = { format: 'csv', encoding: 'win1251', delimiter: ';' };

/** The last format, encoding and delimiter, kept in this browser. */
export const reportChoices = {
  get(): ReportChoices {
    const [format, encoding, delimiter] = (stored.get(KEY) ?? '').split(' ');
    return {
      format: REPORT_FORMATS.find((value) => value === format) ?? DEFAULTS.format,
      encoding: REPORT_ENCODINGS.find((value) => value === encoding) ?? DEFAULTS.encoding,
      delimiter: REPORT_DELIMITERS.find((value) => value === delimiter) ?? DEFAULTS.delimiter,
    };
  },
  set: ({ format, encoding, delimiter }: ReportChoices): void =>
    stored.set(KEY, `${format} ${encoding} ${delimiter}`),
};
