import { contactField, type ContactField } from './contact-headers.ts';
import { foldText } from './fold-text.ts';
import { neutralizeCell } from './formulas.ts';
import { tagsCell } from './tags.ts';
import { CONTACT_VARIABLES, type ContactVariable } from './variables.ts';

/** In this order. */
const FIELDS = [
  'phone',
  'email',
  'lastName',
  'firstName',
  'middleName',
  'date',
  'gender',
  'tags',
] as const satisfies ContactField[];

export type FileContact = Readonly<Record<ContactVariable, string | null>> & {
  readonly tags: readonly string[];
};

interface FileTexts {
  /** The name of a field as it is shown. */
  nameOf: (field: ContactField) => string;
  /** What the account calls a field, if it does. */
  titleOf: (field: string) => string | undefined;
  genderOf: (gender: string) => string;
}

/**
 * A CSV file of contacts that an import reads as the same contacts. Besides the known fields it has those of the account that have a name
 * or a value.
 */
export class ContactFile {
  private readonly texts: FileTexts;
  private readonly columns: ContactField[];
  private readonly lines: string[] = [];

  constructor(texts: FileTexts) {
    this.texts = texts;
    this.columns = [...FIELDS, ...CONTACT_VARIABLES.filter((field) => texts.titleOf(field))];
  }

  add(contact: FileContact): void {
    for (const field of CONTACT_VARIABLES)
      if (contact[field] && !this.columns.includes(field)) this.columns.push(field);
    this.lines.push(lineOf(this.columns.map((field) => this.cellOf(contact, field))));
  }

  /** With the mark by which Excel reads the right letters. Earlier rows may have fewer cells than the header. */
  get text(): string {
    return `\uFEFF${lineOf(this.header())}${this.lines.join('')}`;
  }

  private cellOf(contact: FileContact, field: ContactField): string {
    if (field === 'tags') return tagsCell(contact.tags);
    const value = field === 'fullName' ? null : contact[field];
    return (field === 'gender' && value ? this.texts.genderOf(value) : value) ?? '';
  }

  /** Names by which an import finds the fields again; of others, the code of the field. */
  private header(): string[] {
    const { nameOf, titleOf } = this.texts;
    const keys = this.columns.map((field) => foldText(nameOf(field)));
    const isOnly = (key: string) => keys.indexOf(key) === keys.lastIndexOf(key);
    return this.columns.map((field, n) => {
      const name = nameOf(field);
      const isFound = contactField(name) === (titleOf(field) ? null : field);
      return isFound && isOnly(keys[n]!) && neutralizeCell(name) === name ? name : field;
    });
  }
}

const lineOf = (cells: string[]): string =>
  `${cells.map((cell) => `"${neutralizeCell(cell).replaceAll('"', '""')}"`).join(';')}\r\n`;
