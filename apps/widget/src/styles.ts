import css from './widget.css?inline';
import type { WidgetInfo } from './wire.ts';

export function baseSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** Sets the look that the owner of a widget chose. Rules of the page for `heliograph-otp` come before it. */
export function applyStyles(sheet: CSSStyleSheet, styles: WidgetInfo['styles']): void {
  const { theme, primaryColor, backgroundColor, textColor, radius } = styles;
  sheet.replaceSync(':host{}');
  const { style } = sheet.cssRules[0] as CSSStyleRule;
  const set = (name: string, value: string | null | undefined) => {
    if (value) style.setProperty(name, value);
  };
  if (theme && theme !== 'auto') set('color-scheme', theme);
  set('--otp-accent', primaryColor);
  set('--otp-on-accent', primaryColor && contrasting(primaryColor));
  set('--otp-background', backgroundColor);
  set('--otp-text', textColor);
  if (radius != null) set('--otp-radius', `${radius}px`);
}

/** Black or white, whichever is easier to read on a colour `#rrggbb` (relative luminance of WCAG). */
export function contrasting(color: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff';
}
