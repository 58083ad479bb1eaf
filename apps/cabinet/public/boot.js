// Runs before the first paint, so that a dark page is never white for a moment and the language is known to
// screen readers from the start. The rest of the application reads the same keys.
// zod would ask whether it may compile code, and the page's security policy answers with a complaint in the console.
globalThis.__zod_globalConfig = { jitless: true };
(function () {
  var root = document.documentElement;
  try {
    var scheme = localStorage.getItem('mantine-color-scheme-value') || 'auto';
    var dark =
      scheme === 'dark' ||
      (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
    root.style.colorScheme = dark ? 'dark' : 'light';
    var locale = localStorage.getItem('heliograph.locale') || navigator.language.slice(0, 2);
    root.lang = /^(ru|en|es|pt|fr|de|it)$/.test(locale) ? locale : 'en';
  } catch {
    // Storage may be forbidden; the defaults of index.html stay.
  }
})();
