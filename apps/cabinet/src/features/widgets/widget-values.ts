import { OTP_WIDGET_DEFAULTS, type OtpStyles, type OtpWidget } from '@heliograph/contract';
import type { WidgetDraft } from './widgets.api.ts';

/** Stands for any address. */
const ANY_ADDRESS = '{ip}/0';

export interface WidgetValues {
  name: string;
  isActive: boolean;
  captchaIsRequired: boolean;
  captchaProvider: OtpWidget['captchaProvider'];
  captchaFirstFreeRequestsPerIp: number | null;
  /** One per line or comma separated; empty: any. */
  ipWhitelist: string;
  countries: string[];
  styles: {
    theme: NonNullable<OtpStyles['theme']>;
    primaryColor: string;
    backgroundColor: string;
    textColor: string;
    radius: number | null;
    title: string;
    locale: OtpStyles['locale'] | '';
  };
}

export function initialValues(row: OtpWidget | null): WidgetValues {
  const styles = row?.styles ?? {};
  const set = row ?? OTP_WIDGET_DEFAULTS;
  return {
    name: row?.name ?? '',
    isActive: set.isActive,
    captchaIsRequired: set.captchaIsRequired,
    captchaProvider: set.captchaProvider,
    captchaFirstFreeRequestsPerIp: set.captchaFirstFreeRequestsPerIp,
    ipWhitelist: set.ipWhitelist.filter((address) => address !== ANY_ADDRESS).join('\n'),
    countries: row?.countries ?? [],
    styles: {
      theme: styles.theme ?? 'auto',
      primaryColor: styles.primaryColor ?? '',
      backgroundColor: styles.backgroundColor ?? '',
      textColor: styles.textColor ?? '',
      radius: styles.radius ?? null,
      title: styles.title ?? '',
      locale: styles.locale ?? '',
    },
  };
}

/** Addresses of lines and of comma-separated lists, without blanks. */
export const addressesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((address) => address.trim())
    .filter(Boolean);

const COLOR = /^#[0-9a-f]{6}$/i;

/** The look without what is empty; `isShown` also leaves out colours that are still being typed. */
export function stylesOf({ styles }: WidgetValues, isShown = false): OtpStyles {
  const color = (value: string) => (value && (!isShown || COLOR.test(value)) ? value : null);
  return {
    theme: styles.theme,
    primaryColor: color(styles.primaryColor),
    backgroundColor: color(styles.backgroundColor),
    textColor: color(styles.textColor),
    radius: styles.radius,
    title: styles.title.trim() || null,
    locale: styles.locale || null,
  };
}

export function bodyOf(values: WidgetValues): WidgetDraft {
  const { name, isActive, captchaIsRequired, captchaProvider, countries } = values;
  const free = values.captchaFirstFreeRequestsPerIp;
  const addresses = addressesOf(values.ipWhitelist);
  return {
    name: name.trim(),
    isActive,
    captchaIsRequired,
    captchaProvider,
    captchaFirstFreeRequestsPerIp: free && free > 0 ? free : null,
    ipWhitelist: addresses.length ? addresses : [ANY_ADDRESS],
    countries: countries.length ? countries : null,
    styles: stylesOf(values),
  };
}
