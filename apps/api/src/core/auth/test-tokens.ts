/** Whether a token is a test one, also when it was removed: `isTestSql('s.token_id')`. */
export const isTestSql = (tokenId: string): string =>
  `exists (select 1 from test_tokens k where k.id = ${tokenId})`;
