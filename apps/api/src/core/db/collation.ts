/**
 * An address of a message or a contact (`sendings.phone`, `contacts.email`, or an array of such), to be compared with a column that has
 * the collation of the database, such as `suppressions.address` or `sendings_incoming."from"`. Those of messages and contacts have "C":
 * without this Postgres compares by "C", for which the other column has no index, and looks at all rows of the account.
 */
export const inDefaultCollation = (address: string): string => `(${address} collate "default")`;
