import type { BankSuggestion, CleanName, CompanySuggestion } from '@heliograph/contract';
import { foldText, fullNameGenitive, splitFullName } from '@heliograph/domain';
import { LOCAL_BANKS } from './banks.ts';
import { LOCAL_COMPANIES } from './companies.ts';
import { LookupDriver, MAX_SUGGESTIONS } from './lookup-driver.ts';

/** Directories that come with the product. */
export class LocalLookups extends LookupDriver {
  override async companies(inn: string): Promise<CompanySuggestion[]> {
    return LOCAL_COMPANIES.filter((company) => company.inn === inn);
  }

  override async banks(query: string): Promise<BankSuggestion[]> {
    const typed = foldText(query);
    return LOCAL_BANKS.filter(
      ({ bik, name }) => bik.startsWith(typed) || foldText(name).includes(typed),
    ).slice(0, MAX_SUGGESTIONS);
  }

  override async name(query: string): Promise<CleanName> {
    return cleanName(query);
  }
}

/** Splits a name by rules and writes its words with capitals. */
export function cleanName(query: string): CleanName {
  const found = splitFullName(capitalized(query), true);
  const [lastName, firstName, middleName] = [found.lastName, found.firstName, found.middleName].map(
    (part) => part ?? '',
  ) as [string, string, string];
  const fullName = [lastName, firstName, middleName].filter(Boolean).join(' ');
  return { lastName, firstName, middleName, genitive: fullNameGenitive(fullName) };
}

/** `иванов-петров ПЁТР` is `Иванов-Петров Пётр`. */
const capitalized = (text: string) =>
  text.toLowerCase().replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());
