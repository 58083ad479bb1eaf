/** Whether a message `s` is one of a test token. There are few of these tokens. */
export const IS_TEST = 'coalesce(s.token_id in (select id from test_tokens), false)';
