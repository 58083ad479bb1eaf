/** Of a new username that is no e-mail address, in characters. */
export const MAX_NEW_USERNAME = 16;

/** Usernames are short, e-mail addresses may be long. */
export const isUsernameTooLong = (username: string): boolean =>
  username.length > MAX_NEW_USERNAME && !username.includes('@');
