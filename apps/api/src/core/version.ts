/** Of the product, as the footer shows it. */
export const VERSION = '1.49.0';
