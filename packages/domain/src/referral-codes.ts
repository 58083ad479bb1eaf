/** 3 to 40 characters that need no encoding in the registration link. */
const CODE = /^[A-Za-z0-9_-]{3,40}$/;

/** Whether a text can be a referral code: `isReferralCode('TEA-2026')` is true. */
export const isReferralCode = (text: string): boolean => text.length <= 40 && CODE.test(text);
